CREATE FUNCTION public.credential_revocation_unchanged() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      if tg_op = 'DELETE' then
        raise exception 'a revocation may not be deleted' using errcode = 'check_violation';
      end if;
      if (new.id, new.wallet, new.verifier_authority) is distinct from (old.id, old.wallet, old.verifier_authority) then
        raise exception 'whose revocation it is cannot change' using errcode = 'check_violation';
      end if;
      if new.revoked_at < old.revoked_at
        or (new.revoked_at = old.revoked_at and new.signature is distinct from old.signature) then
        raise exception 'a revocation changes only to a later time' using errcode = 'check_violation';
      end if;
      return new;
    end $$;

CREATE FUNCTION public.operation_adopted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      if new.adopted_message is distinct from old.adopted_message
        and (old.adopted_message is not null or old.state <> 'DRAFT' or new.state <> 'DRAFT') then
        raise exception 'only a draft adopts a message, once' using errcode = 'check_violation';
      end if;
      return new;
    end $$;

CREATE FUNCTION public.operation_unchanged() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      if tg_op = 'DELETE' then
        if old.state <> 'EXPIRED' then
          raise exception 'only an expired draft may be deleted' using errcode = 'check_violation';
        end if;
        return old;
      end if;
      if (new.id, new.wallet, new.idempotency_key, new.request_hash, new.kind, new.rule, new.message,
          new.last_valid_block_height, new.draft_slot, new.created_at, new.expires_at)
        is distinct from
        (old.id, old.wallet, old.idempotency_key, old.request_hash, old.kind, old.rule, old.message,
          old.last_valid_block_height, old.draft_slot, old.created_at, old.expires_at)
      then
        raise exception 'what was prepared cannot change' using errcode = 'check_violation';
      end if;
      if old.signature is not null
        and (new.signature, new.signed_at) is distinct from (old.signature, old.signed_at) then
        raise exception 'the signature of an operation cannot change' using errcode = 'check_violation';
      end if;
      if old.state in ('EXPIRED', 'FINALIZED', 'FAILED')
        and (new.slot, new.failure) is distinct from (old.slot, old.failure) then
        raise exception 'the outcome of an operation cannot change' using errcode = 'check_violation';
      end if;
      return new;
    end $$;

CREATE FUNCTION public.state_guard() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      if tg_op = 'INSERT' then
        if new.state is distinct from tg_argv[0] then
          raise exception '% begins as %, not as %', tg_table_name, tg_argv[0], new.state
            using errcode = 'check_violation';
        end if;
      elsif new.state is distinct from old.state and not exists (
        select from state_transition
        where entity = tg_table_name and from_state = old.state and to_state = new.state
      ) then
        raise exception '% state % cannot become %', tg_table_name, old.state, new.state
          using errcode = 'check_violation';
      end if;
      return new;
    end $$;

CREATE FUNCTION public.verification_session_unchanged() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      if tg_op = 'DELETE' then
        if old.state <> 'STARTED' then
          raise exception 'only a verification session of which nothing came may be deleted'
            using errcode = 'check_violation';
        end if;
        return old;
      end if;
      if (new.id, new.wallet, new.created_at, new.expires_at)
        is distinct from (old.id, old.wallet, old.created_at, old.expires_at) then
        raise exception 'whose verification session it is cannot change' using errcode = 'check_violation';
      end if;
      if old.state <> 'STARTED'
        and (new.verifier_authority, new.commitment, new.issued_at, new.credential_expires_at, new.signature)
        is distinct from
        (old.verifier_authority, old.commitment, old.issued_at, old.credential_expires_at, old.signature)
      then
        raise exception 'the credential of a verification session cannot change' using errcode = 'check_violation';
      end if;
      return new;
    end $$;

CREATE TABLE public.challenge (
    id text NOT NULL,
    wallet text NOT NULL,
    message text NOT NULL,
    expires_at bigint NOT NULL
);

CREATE TABLE public.credential_revocation (
    id text NOT NULL,
    wallet text NOT NULL,
    verifier_authority text NOT NULL,
    state text DEFAULT 'REVOKING'::text NOT NULL,
    revoked_at bigint NOT NULL,
    signature bytea NOT NULL,
    seen_slot bigint DEFAULT '-1'::integer NOT NULL,
    sent_transaction bytea,
    sent_signature text,
    sent_last_valid bigint,
    attempts integer DEFAULT 0 NOT NULL,
    last_error text,
    lease_owner text,
    lease_until bigint,
    due_at bigint DEFAULT 0 NOT NULL,
    CONSTRAINT credential_revocation_state_check CHECK ((state = ANY (ARRAY['REVOKING'::text, 'WATCHING'::text, 'SETTLED'::text])))
);

CREATE TABLE public.deployment (
    id smallint NOT NULL,
    program text NOT NULL,
    genesis_hash text NOT NULL,
    CONSTRAINT deployment_id_check CHECK ((id = 1))
);

CREATE TABLE public.index_position (
    id smallint NOT NULL,
    slot bigint NOT NULL,
    "time" bigint NOT NULL,
    read_slot bigint NOT NULL,
    signature text,
    reconciled_at bigint NOT NULL,
    settled_slot bigint NOT NULL,
    CONSTRAINT index_position_id_check CHECK ((id = 1))
);

CREATE TABLE public.indexed_account (
    address text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    wallet text,
    rule text,
    mint text,
    expires_at bigint,
    data bytea NOT NULL,
    lamports bigint NOT NULL,
    slot bigint NOT NULL,
    fees bigint,
    issued_at bigint,
    verifier text,
    circuit text,
    commitment bytea,
    is_void boolean
);

CREATE TABLE public.indexed_signature (
    signature text NOT NULL,
    slot bigint NOT NULL
);

CREATE TABLE public.operation (
    id text NOT NULL,
    wallet text NOT NULL,
    idempotency_key text NOT NULL,
    request_hash text NOT NULL,
    kind text NOT NULL,
    state text NOT NULL,
    rule text,
    message bytea NOT NULL,
    last_valid_block_height bigint NOT NULL,
    draft_slot bigint NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    signature text,
    signed_at bigint,
    answered_at bigint,
    absent_since bigint,
    absent_rpc integer,
    slot bigint,
    failure jsonb,
    lease_owner text,
    lease_until bigint,
    due_at bigint DEFAULT 0 NOT NULL,
    adopted_message bytea,
    CONSTRAINT operation_check CHECK (((rule IS NOT NULL) = (kind = 'CREATE_RULE_SET'::text))),
    CONSTRAINT operation_check1 CHECK (((signature IS NULL) = (state = ANY (ARRAY['DRAFT'::text, 'EXPIRED'::text])))),
    CONSTRAINT operation_check2 CHECK (((signed_at IS NULL) = (signature IS NULL))),
    CONSTRAINT operation_check3 CHECK (((slot IS NOT NULL) OR (state <> 'FINALIZED'::text))),
    CONSTRAINT operation_check4 CHECK (((failure IS NOT NULL) = (state = 'FAILED'::text))),
    CONSTRAINT operation_kind_check CHECK ((kind = ANY (ARRAY['CREATE_RULE_SET'::text, 'BIND_MINT'::text, 'PROVE'::text, 'ISSUE'::text, 'TRANSFER'::text]))),
    CONSTRAINT operation_state_check CHECK ((state = ANY (ARRAY['DRAFT'::text, 'EXPIRED'::text, 'QUEUED'::text, 'SUBMITTED'::text, 'UNRESOLVED'::text, 'FINALIZED'::text, 'FAILED'::text])))
);

CREATE TABLE public.rate_limit (
    key text NOT NULL,
    points integer DEFAULT 0 NOT NULL,
    expire double precision
);

CREATE TABLE public.schema_migration (
    name text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.session (
    token_hash text NOT NULL,
    wallet text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);

CREATE TABLE public.state_transition (
    entity text NOT NULL,
    from_state text NOT NULL,
    to_state text NOT NULL
);

CREATE TABLE public.verification_session (
    id text NOT NULL,
    wallet text NOT NULL,
    state text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    failure text,
    verifier_authority text,
    commitment bytea,
    issued_at bigint,
    credential_expires_at bigint,
    signature bytea,
    sent_transaction bytea,
    sent_signature text,
    sent_last_valid bigint,
    attempts integer DEFAULT 0 NOT NULL,
    last_error text,
    lease_owner text,
    lease_until bigint,
    due_at bigint DEFAULT 0 NOT NULL,
    CONSTRAINT verification_session_check CHECK (((state = ANY (ARRAY['STARTED'::text, 'FAILED'::text])) OR ((verifier_authority IS NOT NULL) AND (commitment IS NOT NULL) AND (issued_at IS NOT NULL) AND (credential_expires_at IS NOT NULL) AND (signature IS NOT NULL)))),
    CONSTRAINT verification_session_state_check CHECK ((state = ANY (ARRAY['STARTED'::text, 'ISSUING'::text, 'ISSUED'::text, 'FAILED'::text])))
);

CREATE TABLE public.webhook_delivery (
    id text NOT NULL,
    type text NOT NULL,
    session_id text NOT NULL,
    received_at bigint NOT NULL,
    digest bytea
);

INSERT INTO public.challenge VALUES ('5e17bdff-2996-4175-ae80-a48a931486e3', '5MVyYsZnQudX8rdp1dy2VM8qAnBWbmBsA3m3efAKW8DB', 'site.example wants you to sign in with your Solana account:
5MVyYsZnQudX8rdp1dy2VM8qAnBWbmBsA3m3efAKW8DB

Sign in to the Rule-Set and Pass Service. This signs a message, not a transaction, and costs nothing.

URI: https://site.example
Version: 1
Nonce: eb76d470bd87af2f1e49d1bbba02bdc0
Issued At: 2026-01-15T12:02:16Z
Expiration Time: 2026-01-15T12:07:16Z
Request ID: 5e17bdff-2996-4175-ae80-a48a931486e3
Resources:
- urn:service:program:7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi
- urn:service:genesis:9MbUN3KKDAjaFBTgo7DcabKe9U8pMjeo3PJr1j54ews2', 1768478836000);

INSERT INTO public.credential_revocation VALUES ('d1f0a5b2-0f0e-4f57-9a52-5f0a3c1e7b01', 'FVeyXz3axQcgiw7mzsZQEoFK4k5YnzVNESnDpwEUU1dY', 'AnD4mUqfvS1rsAWP2856dt92mWZJYVRsCoGi7FDEAfjo', 'REVOKING', 1768478536, '\x01010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101', -1, '\x01', 'sent', 1400, 1, 'The transaction did not land in time.', NULL, NULL, 0);
INSERT INTO public.credential_revocation VALUES ('d1f0a5b2-0f0e-4f57-9a52-5f0a3c1e7b02', 'FVeyXz3axQcgiw7mzsZQEoFK4k5YnzVNESnDpwEUU1dY', 'GSn1ZEWiEBp8ghNyc3tVznSCmrTyKk6ZQp9nN6W3tmus', 'WATCHING', 1768478400, '\x01010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101', 1200, NULL, NULL, NULL, 0, NULL, NULL, NULL, 0);
INSERT INTO public.credential_revocation VALUES ('d1f0a5b2-0f0e-4f57-9a52-5f0a3c1e7b03', 'FVeyXz3axQcgiw7mzsZQEoFK4k5YnzVNESnDpwEUU1dY', 'AgPCdgNrw8snY2fncoCiCiKL5tBnBzGxjgon1gCuLWDE', 'SETTLED', 1768478300, '\x01010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101', -1, NULL, NULL, NULL, 0, NULL, NULL, NULL, 0);

INSERT INTO public.deployment VALUES (1, '11111111111111111111111111111111', '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY');

INSERT INTO public.index_position VALUES (1, 1084, 1760000000, 1084, '45q4EJEo3WpPcnAFvFdiFhF1phnFtCJxg49WP7MgwtR79ZmkeqxUKZcagELVXbfGSZZa3NysJk6QcsKJVTMs3hNw', 1760000000, 1084);

INSERT INTO public.indexed_account VALUES ('AAAdheUuLABvCAhD4waz4yoWpzN8eu52ZVrAxiukE2Nq', 'verifier', 'AnD4mUqfvS1rsAWP2856dt92mWZJYVRsCoGi7FDEAfjo', NULL, NULL, NULL, '\x0301ff914df5eb74e63514617de021538c31a049165067d8c5cdbdff00d066741ceb420156657269666965720000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 1586880, 1084, NULL, NULL, NULL, NULL, NULL, false);
INSERT INTO public.indexed_account VALUES ('AqiFqAsc3p2W9Xf1o2uD7YidTzZqQFi5RqviFyCoEaQa', 'config', NULL, NULL, NULL, NULL, '\x0101fe7c2416c5598b42ff502badba02f6ff2b3cf1a12392cad48e4d29c308a68befe515748e2f60377f7411f39e8ea7602ca6e62f07f7b1820ec02e914451349d3928000150c3000000000000000000000000000000000000000000000000000000000000000001bf79a5d2fb672daa273abfc4911d6af5dc431c2232845da5a65db821866702d700000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 3243360, 1084, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.indexed_account VALUES ('DtSTTXEK82rG3c5d5TNq5cPpLbTyWGDk18YUB9ZdKd4A', 'circuit', NULL, NULL, NULL, NULL, '\x0401ff656c69676962696c6974792d3100000000000000000000000000000000000000b09f33997b2b72fe8a9be84f35c80f5d489c7961ff5a30d2b405e7097dc660a4000000000000000000000028381909852c684826c0ef473eb4083c7475ea3299afc734de6b431de5a9cd21b9b0b967e1228595356ceb1f1df8f3ae6e26261378970953fd236c19eedd620be170a45b2ac56bf7c2b9ff934d0bfcb355841805be8933a2303495a7a57e3c2083d0a8aac27a17a616111a5ea070f5887f8931da29a42848d31a18b672300c0a43333a971cd95ad50307cb8348dce1b55eef6df30c4154d93634fcb772f295037d3f6bc4ea1addc838ff5472eff55698f3bcef97ec761721a3b3fa19eda7e9198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c21800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa27676e30bb9edd2c24ccdcbaa6bf17e5e339e192f90a92fef2db1dda696a48d5177bd7f2e701af10476dd9021557777befac13dca9bced0f53e733414cbe699a2ba38a028e0dc7d49f28ae5d2265f89420094b28ebab93f88136f8d3f19c725d1eebffb658faa150381d8a873a98c090ab09d113d0e84eb9cb5dc625b8748ce113e3700a8c2f3f65740261c856c2203bad5aa8ebd139bba736df8a2ea5be25ba0200edc61d703e368c8b5641898b068b70b55fc97567cc89c8bdd0524ec7862923f3395064b26d680f0051bd60308d43f11f7fc851bdece2675fad7c5c8ec76c1027d3191a92a911c5f993e479aab682405e8027e254e6b01ab99b1517cc807f0000000000000000000000000000000000000000000000000000000000000000', 5658480, 1084, NULL, NULL, NULL, NULL, NULL, false);
INSERT INTO public.indexed_account VALUES ('E1XFf6G1UDSvemVF91daKcb78ypd3hUX7Xp2HcQGHUFN', 'credential', '4nbQdNXYSogK5mMkXAp75NbkjQcEzQGJK9ni1YCeKdbp', NULL, NULL, 1760100000, '\x0501ff38411a0a283928280b10dec363fe5feef054c64af10c5fbc058208c36ee745b388124d2a7823aa3569ff0e62fc8f7183cd0742e39c3c70a78bfafceebf21810e0000000000000000000000000000000000000000000000000000000068e778000078e76800000000a0fee868000000000000000000000000000000000000000000', 1809600, 1084, NULL, NULL, 'AAAdheUuLABvCAhD4waz4yoWpzN8eu52ZVrAxiukE2Nq', NULL, '\x0000000000000000000000000000000000000000000000000000000068e77800', false);
INSERT INTO public.indexed_account VALUES ('8owTubGBfNA9a6gNg12WXxe9htwxfb7FC5FDHrzCQLPS', 'pass', '4nbQdNXYSogK5mMkXAp75NbkjQcEzQGJK9ni1YCeKdbp', '8mf2HTmDvzgKfgYF3j8zT4oup5Q4x93DtUVbEXsyYQ6u', NULL, 1760009000, '\x0801ff73725b18e55ab9cc6d4e6144eaf1441223aa934f2fa051dfec69eddcf6c7712a38411a0a283928280b10dec363fe5feef054c64af10c5fbc058208c36ee745b3289be768000000000078e76800000000bf79a5d2fb672daa273abfc4911d6af5dc431c2232845da5a65db821866702d788124d2a7823aa3569ff0e62fc8f7183cd0742e39c3c70a78bfafceebf21810e0101010101010101010101010101010101010101010101010101010101010101000000000000000000000000000000000000000000000000', 1000000, 1084, NULL, 1760000000, 'AAAdheUuLABvCAhD4waz4yoWpzN8eu52ZVrAxiukE2Nq', 'DtSTTXEK82rG3c5d5TNq5cPpLbTyWGDk18YUB9ZdKd4A', '\x0101010101010101010101010101010101010101010101010101010101010101', NULL);

INSERT INTO public.indexed_signature VALUES ('4444444444444444444444444444444444444444444444444444444444444444444444444444444444444444', 1085);

INSERT INTO public.operation VALUES ('5b9ca872-9f3a-41a7-867f-8ca903a319bd', '9SbQaXtJGdANX54vaWXjkQGiANCEtxyeA5Rd1L5FsQUd', '16e6927c-1a12-4a65-b19e-105880dc05ed', '95bfded32dadd467704a04ce5e2124532561c9a87fa42e18027b01d779f911ba', 'CREATE_RULE_SET', 'FINALIZED', '6CNuRrGq5fPPFvqvMmpZFgEWMxRrfxoidYLnmCJFFhu', '\x80010004067d6beb51957515ba7377d6ccfad7d395b2fbacaf7d28eb168d89b497d660d06e0154c4d011e904da223036282afe9c088b4b5ac181538f7c06ac01a83b3737dc00000000000000000000000000000000000000000000000000000000000000006253fa93ca1ef9d0821f55c1ec2875a1e898a132406b8eebd946f150d42d75c19233b58a31ec2b1438c3ddd396d2c8d14264df81891b5ee7370cfe6efcdfedc3054a535a992921064d24e87160da387c7c35b5ddbc92bb81e41fa8404105448db0e6da26812fcf90314612e4063e91a432f9d5e5acdb7d8b1e28ddc958339a650205002f736572766963653a76313a35623963613837322d396633612d343161372d383637662d38636139303361333139626403040001040248080100000000000000104164756c747320696e204672616e63658051010000000000010000000000000000000000000000000000000000000004000000000000000000010000001200', 383, 1233, 1768478400000, 1768478490000, '469zM3W7Pdzec1bEavPNMyatqXSpsfM7u7jysJd1Yw8uDgz6HHEY7fHhFqG3kMvc9WKdg6yoXWwtjQzBq5yvhZ59', 1768478400000, NULL, NULL, NULL, 1234, NULL, NULL, NULL, 1768478402000, NULL);
INSERT INTO public.operation VALUES ('c0e80d6d-9468-456c-ad94-becb592d2f64', '9SbQaXtJGdANX54vaWXjkQGiANCEtxyeA5Rd1L5FsQUd', '1094cfb6-9d1b-47f7-bc7a-a3ce0a094204', '95bfded32dadd467704a04ce5e2124532561c9a87fa42e18027b01d779f911ba', 'CREATE_RULE_SET', 'FAILED', '6CNuRrGq5fPPFvqvMmpZFgEWMxRrfxoidYLnmCJFFhu', '\x80010004067d6beb51957515ba7377d6ccfad7d395b2fbacaf7d28eb168d89b497d660d06e0154c4d011e904da223036282afe9c088b4b5ac181538f7c06ac01a83b3737dc00000000000000000000000000000000000000000000000000000000000000006253fa93ca1ef9d0821f55c1ec2875a1e898a132406b8eebd946f150d42d75c19233b58a31ec2b1438c3ddd396d2c8d14264df81891b5ee7370cfe6efcdfedc3054a535a992921064d24e87160da387c7c35b5ddbc92bb81e41fa8404105448db0e6da26812fcf90314612e4063e91a432f9d5e5acdb7d8b1e28ddc958339a650205002f736572766963653a76313a63306538306436642d393436382d343536632d616439342d62656362353932643266363403040001040248080100000000000000104164756c747320696e204672616e63658051010000000000010000000000000000000000000000000000000000000004000000000000000000010000001200', 383, 1233, 1768478400000, 1768478490000, 'SH8KeqXSE6ZY9rCdSNja9sCYidm9bym6c8aQUCwxViqhxGw1FcUyYVUVjPgFfZULu4P2tWmYxsjQVdH4KMiMtMY', 1768478402000, NULL, NULL, NULL, 1238, '{"reason": "ON_CHAIN_ERROR", "message": "The account exists already.", "instruction": 1, "programError": {"code": 6008, "name": "ALREADY_INITIALIZED"}}', NULL, NULL, 1768478404000, NULL);
INSERT INTO public.operation VALUES ('2dad9637-70e7-4ba0-9819-d2db9b33bc99', '9SbQaXtJGdANX54vaWXjkQGiANCEtxyeA5Rd1L5FsQUd', 'e62fa945-ea60-4f18-89f0-e2d790d4d1bb', '152087cc3e9d2f296caf30dd79a777713150ab4b0bf474b7461a0604327c02bb', 'CREATE_RULE_SET', 'EXPIRED', '6BvBt9AJm8quJAFTMVNV8PYp8pdEL7de3eijjSU8cVH', '\x80010004067d6beb51957515ba7377d6ccfad7d395b2fbacaf7d28eb168d89b497d660d06e01543f7ad6f4d04492740e8d50010086764537f87498ab8f3a89af7cfb6a213c00000000000000000000000000000000000000000000000000000000000000006253fa93ca1ef9d0821f55c1ec2875a1e898a132406b8eebd946f150d42d75c19233b58a31ec2b1438c3ddd396d2c8d14264df81891b5ee7370cfe6efcdfedc3054a535a992921064d24e87160da387c7c35b5ddbc92bb81e41fa8404105448d6a0064e2222333ef1ac0d61a385aea5c623ac5a3969ea3a265412f33109290710205002f736572766963653a76313a32646164393633372d373065372d346261302d393831392d64326462396233336263393903040001040248080300000000000000104164756c747320696e204672616e63658051010000000000010000000000000000000000000000000000000000000004000000000000000000010000001200', 550, 1400, 1768478412000, 1768478502000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.operation VALUES ('9d852103-e57f-4348-aa28-baeae11e075b', 'FVeyXz3axQcgiw7mzsZQEoFK4k5YnzVNESnDpwEUU1dY', '10a14b2f-299d-42ce-a515-39de65407774', '91ff76d67c0fbfa2a0876bd6fc93b6b54f68ecbd1962f340c561da9c78284ff4', 'CREATE_RULE_SET', 'FAILED', 'Awrtge51GRLsWC8TzeW7WAHsnZmU75mYKwpmzSsoZ32o', '\x8001000406d75ad15a513287fbbdc11e032a258fd055eb2cdf71998f6cc3f98dc77a565d4f93c6f543dbbbdddf4c39d437d041a4e450ef9204c23d64b886a0b8a06c038e9000000000000000000000000000000000000000000000000000000000000000006253fa93ca1ef9d0821f55c1ec2875a1e898a132406b8eebd946f150d42d75c19233b58a31ec2b1438c3ddd396d2c8d14264df81891b5ee7370cfe6efcdfedc3054a535a992921064d24e87160da387c7c35b5ddbc92bb81e41fa8404105448dcdf866ec7e3cba94029a5cf21ec022a11d3fef175a42bb00c4760ad575b7217d0205002f736572766963653a76313a39643835323130332d653537662d343334382d616132382d62616561653131653037356203040001040248080200000000000000104164756c747320696e204672616e63658051010000000000010000000000000000000000000000000000000000000004000000000000000000010000001200', 391, 1241, 1768478404000, 1768478494000, '5xouo7U8Wsr2zSuRZquVEenpkS9nPrhgLVrBTdw6aRxRFmxt87hAkJGNmYcEEMkkHnGXcYrwadv5pHcRV2Txbqqn', 1768478404000, 1768478410000, 1768478404000, 0, NULL, '{"reason": "NEVER_LANDED", "message": "The transaction did not land before it expired, and never can. Nothing changed; prepare again."}', NULL, NULL, 1768478410200, NULL);
INSERT INTO public.operation VALUES ('77bc0a21-00e0-4e86-a397-1dfc0dfe7979', 'FVeyXz3axQcgiw7mzsZQEoFK4k5YnzVNESnDpwEUU1dY', '5989b7f8-b640-4472-9276-6ca3c1553222', 'e26bfb3e885677f923557813d38c586fdd09a7aa3c6620f9f89ce4852a07e032', 'CREATE_RULE_SET', 'UNRESOLVED', 'CqXEs5tRThMjmUvXENXhJ1XXYWUH8FxQbL8hxNxyQbxd', '\x8001000406d75ad15a513287fbbdc11e032a258fd055eb2cdf71998f6cc3f98dc77a565d4fafdea05bd857cfaaf096d627bfef2e01306c3c37fda54995db84f70a6dca349a00000000000000000000000000000000000000000000000000000000000000006253fa93ca1ef9d0821f55c1ec2875a1e898a132406b8eebd946f150d42d75c19233b58a31ec2b1438c3ddd396d2c8d14264df81891b5ee7370cfe6efcdfedc3054a535a992921064d24e87160da387c7c35b5ddbc92bb81e41fa8404105448d719c3959e60357d7677630b9a62ab3d4792aeb4cbfc77faacfb2ff49058dccf20205002f736572766963653a76313a37376263306132312d303065302d346538362d613339372d31646663306466653739373903040001040248080400000000000000104164756c747320696e204672616e63658051010000000000010000000000000000000000000000000000000000000004000000000000000000010000001200', 554, 1404, 1768478505000, 1768478595000, '2zPWnsWtUkBft1fLvshD9yHRxSQk4s6AQywzwYbxGK6ot6h9Jtg2R9EuFbd238BH4YJU2eLzokXAjbUciDSU9psA', 1768478505000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1768478537450, NULL);
INSERT INTO public.operation VALUES ('374645b4-4553-4d8f-b53b-5b35176060f5', 'GSn1ZEWiEBp8ghNyc3tVznSCmrTyKk6ZQp9nN6W3tmus', 'c0cefbee-a611-4c16-8f2f-e550d51278f4', '8a440a8adb59f5f88b3975054c946573220829e094b94873c07cc94a08ef4daa', 'CREATE_RULE_SET', 'SUBMITTED', '4d6yK3M8SFqkQaQ5qZqfTHh3xgvpjjpTTuV9ouKk5Bfb', '\x8001000406e579b7744f0f4b2b4d4643952502f65e15ca735814fb0cdd3eb77785c4a6fe2235d2b8a0a6c81f3f9fa773a856f6312e7726d1da4c3a3c21fdc9906dd147f3b600000000000000000000000000000000000000000000000000000000000000006253fa93ca1ef9d0821f55c1ec2875a1e898a132406b8eebd946f150d42d75c19233b58a31ec2b1438c3ddd396d2c8d14264df81891b5ee7370cfe6efcdfedc3054a535a992921064d24e87160da387c7c35b5ddbc92bb81e41fa8404105448d719c3959e60357d7677630b9a62ab3d4792aeb4cbfc77faacfb2ff49058dccf20205002f736572766963653a76313a33373436343562342d343535332d346438662d623533622d35623335313736303630663503040001040248080500000000000000104164756c747320696e204672616e63658051010000000000010000000000000000000000000000000000000000000004000000000000000000010000001200', 554, 1404, 1768478525000, 1768478615000, '2ruG4T8kEQdZRFCzSnW8kksWndj5r287PUoWSePdPn1tT1zcbaEPyZAhBe24VJESKj6Fgns58Yk8DPm5eEUXg7xV', 1768478525000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1768478536450, NULL);
INSERT INTO public.operation VALUES ('00d2d09e-f901-493f-b72b-e6be532ddc2f', 'AgPCdgNrw8snY2fncoCiCiKL5tBnBzGxjgon1gCuLWDE', '911a15c2-399a-4d45-87b1-a766cd61bced', '20d2ceeb2bc9b8e2e06210ffec7f2f09b54504b7add863a2fbaa470bda22ca97', 'CREATE_RULE_SET', 'QUEUED', 'Az7Uj4cKyeS4DmbFWe81VQVMwxQKyT6qfQ8pGHfBeKRS', '\x80010004068fcfefa70ba14801618fc27172eda3f2041249b1c6764e7511a01352b5522eb1945a9cf91a459f83867b25cef65c19704fa2d06b30e0e81306487a87e1ac64b900000000000000000000000000000000000000000000000000000000000000006253fa93ca1ef9d0821f55c1ec2875a1e898a132406b8eebd946f150d42d75c19233b58a31ec2b1438c3ddd396d2c8d14264df81891b5ee7370cfe6efcdfedc3054a535a992921064d24e87160da387c7c35b5ddbc92bb81e41fa8404105448d719c3959e60357d7677630b9a62ab3d4792aeb4cbfc77faacfb2ff49058dccf20205002f736572766963653a76313a30306432643039652d663930312d343933662d623732622d65366265353332646463326603040001040248080600000000000000104164756c747320696e204672616e63658051010000000000010000000000000000000000000000000000000000000004000000000000000000010000001200', 554, 1404, 1768478536000, 1768478626000, '45jzecsMKYvgEkkYXc1RdCU7uFRH3cFPB89EC6kYGbUh24XZc7atUdCjmLL7TbmKHAonbvnNNyCgrTPCnEwpjjK5', 1768478536000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.operation VALUES ('525d61a0-4f16-47a2-9c89-c6a957f93583', '5MVyYsZnQudX8rdp1dy2VM8qAnBWbmBsA3m3efAKW8DB', '9f2c119b-d001-44db-b751-4ab7c8204bca', '19d047f88b3237793de421e71da9c02bfefa4b655b91a0b7220009b7bcb22ed7', 'CREATE_RULE_SET', 'DRAFT', 'XnLHZmvCR2i5ykFQX1Kby2z5ABSVbyeen7W8GtTMgpQ', '\x800100040640af20427a89e1e1a3b232f5d77c3dc0a0d7e7dd11835acb66b654ea28465f0607e2ae9156e217190e4f2c5d6292035007343d5c426e182418ad7c39530f451900000000000000000000000000000000000000000000000000000000000000006253fa93ca1ef9d0821f55c1ec2875a1e898a132406b8eebd946f150d42d75c19233b58a31ec2b1438c3ddd396d2c8d14264df81891b5ee7370cfe6efcdfedc3054a535a992921064d24e87160da387c7c35b5ddbc92bb81e41fa8404105448d719c3959e60357d7677630b9a62ab3d4792aeb4cbfc77faacfb2ff49058dccf20205002f736572766963653a76313a35323564363161302d346631362d343761322d396338392d63366139353766393335383303040001040248080700000000000000104164756c747320696e204672616e63658051010000000000010000000000000000000000000000000000000000000004000000000000000000010000001200', 554, 1404, 1768478536000, 1768478626000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);

INSERT INTO public.rate_limit VALUES ('prepare:9SbQaXtJGdANX54vaWXjkQGiANCEtxyeA5Rd1L5FsQUd', 3, 1795263343933);
INSERT INTO public.rate_limit VALUES ('prepare:FVeyXz3axQcgiw7mzsZQEoFK4k5YnzVNESnDpwEUU1dY', 2, 1795263344125);
INSERT INTO public.rate_limit VALUES ('prepare:GSn1ZEWiEBp8ghNyc3tVznSCmrTyKk6ZQp9nN6W3tmus', 1, 1795263344306);
INSERT INTO public.rate_limit VALUES ('prepare:AgPCdgNrw8snY2fncoCiCiKL5tBnBzGxjgon1gCuLWDE', 1, 1795263344379);
INSERT INTO public.rate_limit VALUES ('prepare:5MVyYsZnQudX8rdp1dy2VM8qAnBWbmBsA3m3efAKW8DB', 1, 1795263344427);
INSERT INTO public.rate_limit VALUES ('signIn:in-process', 11, 1795263343734);
INSERT INTO public.rate_limit VALUES ('wallet:9SbQaXtJGdANX54vaWXjkQGiANCEtxyeA5Rd1L5FsQUd', 8, 1795263343933);
INSERT INTO public.rate_limit VALUES ('wallet:FVeyXz3axQcgiw7mzsZQEoFK4k5YnzVNESnDpwEUU1dY', 6, 1795263344125);
INSERT INTO public.rate_limit VALUES ('wallet:GSn1ZEWiEBp8ghNyc3tVznSCmrTyKk6ZQp9nN6W3tmus', 3, 1795263344306);
INSERT INTO public.rate_limit VALUES ('wallet:AgPCdgNrw8snY2fncoCiCiKL5tBnBzGxjgon1gCuLWDE', 3, 1795263344373);
INSERT INTO public.rate_limit VALUES ('address:in-process', 33, 1795263343727);
INSERT INTO public.rate_limit VALUES ('wallet:5MVyYsZnQudX8rdp1dy2VM8qAnBWbmBsA3m3efAKW8DB', 2, 1795263344422);

INSERT INTO public.schema_migration VALUES ('http-1', '2026-11-21 12:14:43.618366+00');
INSERT INTO public.schema_migration VALUES ('auth-1', '2026-11-21 12:14:43.618366+00');
INSERT INTO public.schema_migration VALUES ('operations-1', '2026-11-21 12:14:43.618366+00');
INSERT INTO public.schema_migration VALUES ('index-1', '2026-11-21 12:14:43.618366+00');
INSERT INTO public.schema_migration VALUES ('verification-1', '2026-11-21 12:14:43.618366+00');
INSERT INTO public.schema_migration VALUES ('operations-2', '2026-11-21 12:14:43.618366+00');
INSERT INTO public.schema_migration VALUES ('guard-1', '2026-11-21 15:37:52.042596+00');
INSERT INTO public.schema_migration VALUES ('verification-delivery-age-1', '2026-11-21 15:37:52.042596+00');
INSERT INTO public.schema_migration VALUES ('verification-revocations', '2026-11-21 15:37:52.042596+00');
INSERT INTO public.schema_migration VALUES ('guard-revocations', '2026-11-23 15:42:07.279051+00');
INSERT INTO public.schema_migration VALUES ('index-signatures', '2026-11-23 15:42:07.30296+00');
INSERT INTO public.schema_migration VALUES ('deployment-1', '2026-11-23 15:42:07.307855+00');
INSERT INTO public.schema_migration VALUES ('0013-adopted-messages', '2026-11-23 15:42:07.317426+00');
INSERT INTO public.schema_migration VALUES ('0014-pass-fees', '2026-11-23 15:42:07.327038+00');
INSERT INTO public.schema_migration VALUES ('0015-pass-issue-times', '2026-11-23 15:42:07.338061+00');
INSERT INTO public.schema_migration VALUES ('0016-passes-to-end', '2026-11-23 15:42:07.346599+00');

INSERT INTO public.session VALUES ('a61e832d19fbf8c4042c8d11efbe6b045f208d13ff5f9eeb2b9f2c112b801eec', 'GSn1ZEWiEBp8ghNyc3tVznSCmrTyKk6ZQp9nN6W3tmus', 1768478400000, 1768521600000);
INSERT INTO public.session VALUES ('815d4717a2e8d093ba1faf7f156feb747b384eee458da0021dd517936c3551ea', 'AgPCdgNrw8snY2fncoCiCiKL5tBnBzGxjgon1gCuLWDE', 1768478400000, 1768521600000);
INSERT INTO public.session VALUES ('2edf75cf5aba5677e3af3b2bb98e04783462391d2718623567dc40dd872c4524', '9SbQaXtJGdANX54vaWXjkQGiANCEtxyeA5Rd1L5FsQUd', 1768478400000, 1768521600000);
INSERT INTO public.session VALUES ('1c62aba02f168327f6244bfe1b83ad5e0cbf7f1fec2d4e669bcb553cf83a9e15', 'FVeyXz3axQcgiw7mzsZQEoFK4k5YnzVNESnDpwEUU1dY', 1768478400000, 1768521600000);
INSERT INTO public.session VALUES ('3c0b5de7e93d98b64446a1e2918d1032d6b30c952e753b14dfa75173eea0b057', '5MVyYsZnQudX8rdp1dy2VM8qAnBWbmBsA3m3efAKW8DB', 1768478400000, 1768521600000);

INSERT INTO public.state_transition VALUES ('operation', 'DRAFT', 'EXPIRED');
INSERT INTO public.state_transition VALUES ('operation', 'DRAFT', 'QUEUED');
INSERT INTO public.state_transition VALUES ('operation', 'QUEUED', 'SUBMITTED');
INSERT INTO public.state_transition VALUES ('operation', 'SUBMITTED', 'FINALIZED');
INSERT INTO public.state_transition VALUES ('operation', 'SUBMITTED', 'FAILED');
INSERT INTO public.state_transition VALUES ('operation', 'SUBMITTED', 'UNRESOLVED');
INSERT INTO public.state_transition VALUES ('operation', 'UNRESOLVED', 'FINALIZED');
INSERT INTO public.state_transition VALUES ('operation', 'UNRESOLVED', 'FAILED');
INSERT INTO public.state_transition VALUES ('verification_session', 'STARTED', 'ISSUING');
INSERT INTO public.state_transition VALUES ('verification_session', 'STARTED', 'FAILED');
INSERT INTO public.state_transition VALUES ('verification_session', 'ISSUING', 'ISSUED');
INSERT INTO public.state_transition VALUES ('verification_session', 'ISSUING', 'FAILED');
INSERT INTO public.state_transition VALUES ('credential_revocation', 'REVOKING', 'WATCHING');
INSERT INTO public.state_transition VALUES ('credential_revocation', 'REVOKING', 'SETTLED');
INSERT INTO public.state_transition VALUES ('credential_revocation', 'WATCHING', 'REVOKING');
INSERT INTO public.state_transition VALUES ('credential_revocation', 'SETTLED', 'REVOKING');

INSERT INTO public.verification_session VALUES ('00000000-0000-4000-8000-000000000000', '9SbQaXtJGdANX54vaWXjkQGiANCEtxyeA5Rd1L5FsQUd', 'STARTED', 1768478476000, 1768482076000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, 0);
INSERT INTO public.verification_session VALUES ('00000000-0000-4000-8000-000000000001', 'FVeyXz3axQcgiw7mzsZQEoFK4k5YnzVNESnDpwEUU1dY', 'ISSUING', 1768478476000, 1768482076000, NULL, 'AnD4mUqfvS1rsAWP2856dt92mWZJYVRsCoGi7FDEAfjo', '\x0101010101010101010101010101010101010101010101010101010101010101', 1768478536, 1768564936, '\x01010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101', NULL, NULL, NULL, 0, NULL, NULL, NULL, 0);
INSERT INTO public.verification_session VALUES ('00000000-0000-4000-8000-000000000002', 'GSn1ZEWiEBp8ghNyc3tVznSCmrTyKk6ZQp9nN6W3tmus', 'ISSUED', 1768478476000, 1768482076000, NULL, 'AnD4mUqfvS1rsAWP2856dt92mWZJYVRsCoGi7FDEAfjo', '\x0202020202020202020202020202020202020202020202020202020202020202', 1768478536, 1768564936, '\x02020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202', '\x0909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909', '555555555555555555555555555555555555555555555555555555555555555555555555555555555555555', 300, 2, 'The transaction did not land in time.', NULL, NULL, 0);
INSERT INTO public.verification_session VALUES ('00000000-0000-4000-8000-000000000003', 'AgPCdgNrw8snY2fncoCiCiKL5tBnBzGxjgon1gCuLWDE', 'FAILED', 1768478476000, 1768482076000, 'The verifier did not verify the person.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, 0);

INSERT INTO public.webhook_delivery VALUES ('msg_1_verification.completed', 'verification.completed', '00000000-0000-4000-8000-000000000001', 1768478536000, NULL);
INSERT INTO public.webhook_delivery VALUES ('msg_2_verification.completed', 'verification.completed', '00000000-0000-4000-8000-000000000002', 1768478536000, NULL);
INSERT INTO public.webhook_delivery VALUES ('msg_2_credential.revoked', 'credential.revoked', '00000000-0000-4000-8000-000000000002', 1768478536000, NULL);
INSERT INTO public.webhook_delivery VALUES ('msg_3_verification.failed', 'verification.failed', '00000000-0000-4000-8000-000000000003', 1768478536000, NULL);

ALTER TABLE ONLY public.challenge
    ADD CONSTRAINT challenge_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.credential_revocation
    ADD CONSTRAINT credential_revocation_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.credential_revocation
    ADD CONSTRAINT credential_revocation_wallet_verifier_authority_key UNIQUE (wallet, verifier_authority);

ALTER TABLE ONLY public.deployment
    ADD CONSTRAINT deployment_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.index_position
    ADD CONSTRAINT index_position_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.indexed_account
    ADD CONSTRAINT indexed_account_pkey PRIMARY KEY (address);

ALTER TABLE ONLY public.indexed_signature
    ADD CONSTRAINT indexed_signature_pkey PRIMARY KEY (signature);

ALTER TABLE ONLY public.operation
    ADD CONSTRAINT operation_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.operation
    ADD CONSTRAINT operation_signature_key UNIQUE (signature);

ALTER TABLE ONLY public.rate_limit
    ADD CONSTRAINT rate_limit_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.schema_migration
    ADD CONSTRAINT schema_migration_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (token_hash);

ALTER TABLE ONLY public.state_transition
    ADD CONSTRAINT state_transition_pkey PRIMARY KEY (entity, from_state, to_state);

ALTER TABLE ONLY public.verification_session
    ADD CONSTRAINT verification_session_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.webhook_delivery
    ADD CONSTRAINT webhook_delivery_pkey PRIMARY KEY (id);

CREATE INDEX challenge_expires_at ON public.challenge USING btree (expires_at);

CREATE INDEX credential_revocation_due ON public.credential_revocation USING btree (due_at) WHERE (state = 'REVOKING'::text);

CREATE INDEX credential_revocation_watching ON public.credential_revocation USING btree (wallet) WHERE (state = 'WATCHING'::text);

CREATE INDEX indexed_account_kind ON public.indexed_account USING btree (kind, address);

CREATE INDEX indexed_account_rule ON public.indexed_account USING btree (rule, kind, expires_at);

CREATE INDEX indexed_account_wallet ON public.indexed_account USING btree (wallet, kind);

CREATE INDEX operation_drafts ON public.operation USING btree (expires_at) WHERE (state = 'DRAFT'::text);

CREATE INDEX operation_expired ON public.operation USING btree (expires_at) WHERE (state = 'EXPIRED'::text);

CREATE UNIQUE INDEX operation_one_pending_per_wallet ON public.operation USING btree (wallet) WHERE (state = ANY (ARRAY['QUEUED'::text, 'SUBMITTED'::text, 'UNRESOLVED'::text]));

CREATE UNIQUE INDEX operation_one_per_key ON public.operation USING btree (wallet, idempotency_key);

CREATE INDEX operation_queue ON public.operation USING btree (due_at) WHERE (state = ANY (ARRAY['QUEUED'::text, 'SUBMITTED'::text, 'UNRESOLVED'::text]));

CREATE INDEX session_expires_at ON public.session USING btree (expires_at);

CREATE INDEX verification_session_due ON public.verification_session USING btree (due_at) WHERE (state = 'ISSUING'::text);

CREATE INDEX verification_session_open ON public.verification_session USING btree (expires_at) WHERE (state = 'STARTED'::text);

CREATE INDEX verification_session_wallet ON public.verification_session USING btree (wallet, created_at);

CREATE INDEX webhook_delivery_received_at ON public.webhook_delivery USING btree (received_at);

CREATE INDEX webhook_delivery_session ON public.webhook_delivery USING btree (session_id);

CREATE TRIGGER credential_revocation_state BEFORE INSERT OR UPDATE ON public.credential_revocation FOR EACH ROW EXECUTE FUNCTION public.state_guard('REVOKING');

CREATE TRIGGER credential_revocation_unchanged BEFORE DELETE OR UPDATE ON public.credential_revocation FOR EACH ROW EXECUTE FUNCTION public.credential_revocation_unchanged();

CREATE TRIGGER operation_adopted BEFORE UPDATE ON public.operation FOR EACH ROW EXECUTE FUNCTION public.operation_adopted();

CREATE TRIGGER operation_state BEFORE INSERT OR UPDATE ON public.operation FOR EACH ROW EXECUTE FUNCTION public.state_guard('DRAFT');

CREATE TRIGGER operation_unchanged BEFORE DELETE OR UPDATE ON public.operation FOR EACH ROW EXECUTE FUNCTION public.operation_unchanged();

CREATE TRIGGER verification_session_state BEFORE INSERT OR UPDATE ON public.verification_session FOR EACH ROW EXECUTE FUNCTION public.state_guard('STARTED');

CREATE TRIGGER verification_session_unchanged BEFORE DELETE OR UPDATE ON public.verification_session FOR EACH ROW EXECUTE FUNCTION public.verification_session_unchanged();

ALTER TABLE ONLY public.webhook_delivery
    ADD CONSTRAINT webhook_delivery_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.verification_session(id);
