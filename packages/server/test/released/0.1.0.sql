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

CREATE FUNCTION public.event_id() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      new.id := 'evt_' || left(encode(sha256(new.cause::bytea), 'hex'), 32);
      return new;
    end $$;

CREATE FUNCTION public.event_position() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    declare
      retry_at bigint;
    begin
      perform pg_advisory_xact_lock(7219384655103);
      select due_at into retry_at from event
        where wallet = new.wallet and delivered_at is null and position is not null
        order by position desc limit 1;
      if retry_at > 0 then
        select due_at into retry_at from event
          where wallet = new.wallet and delivered_at is null and position is not null
          order by position desc limit 1 for share skip locked;
      end if;
      update event set position = nextval('event_position'), due_at = coalesce(retry_at, 0) where id = new.id;
      return null;
    end $$;

CREATE FUNCTION public.operation_event() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      insert into event (wallet, type, cause, data) values (
        new.wallet,
        'operation.' || lower(new.state),
        'operation:' || new.id,
        jsonb_strip_nulls(jsonb_build_object(
          'operationId', new.id, 'kind', new.kind, 'state', new.state, 'rule', new.rule,
          'signature', new.signature, 'slot', new.slot::text, 'failure', new.failure))
      );
      return null;
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
      if new.adopted_message is distinct from old.adopted_message
        and (old.adopted_message is not null or old.state <> 'DRAFT' or new.state <> 'DRAFT') then
        raise exception 'only a draft adopts a message, once' using errcode = 'check_violation';
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

CREATE TABLE public.event (
    id text NOT NULL,
    "position" bigint,
    wallet text NOT NULL,
    type text NOT NULL,
    cause text NOT NULL,
    data jsonb NOT NULL,
    created_at bigint DEFAULT (floor((EXTRACT(epoch FROM clock_timestamp()) * (1000)::numeric)))::bigint NOT NULL,
    delivered_at bigint,
    attempts integer DEFAULT 0 NOT NULL,
    lease_owner text,
    lease_until bigint,
    due_at bigint DEFAULT 0 NOT NULL
);

CREATE SEQUENCE public.event_position
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.index_position (
    id smallint NOT NULL,
    slot bigint NOT NULL,
    "time" bigint NOT NULL,
    read_slot bigint NOT NULL,
    signature text,
    settled_slot bigint NOT NULL,
    reconciled_at bigint NOT NULL,
    next_slice integer DEFAULT 0 NOT NULL,
    slices_left integer DEFAULT 0 NOT NULL,
    target_slot bigint,
    target_time bigint,
    target_signature text,
    ended_until bigint,
    ending_after text,
    CONSTRAINT index_position_id_check CHECK ((id = 1)),
    CONSTRAINT index_position_target CHECK ((((slices_left > 0) = (target_slot IS NOT NULL)) AND ((slices_left > 0) = (target_time IS NOT NULL))))
);

CREATE TABLE public.indexed_account (
    address text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    wallet text,
    rule text,
    mint text,
    fees bigint,
    issued_at bigint,
    expires_at bigint,
    verifier text,
    circuit text,
    commitment bytea,
    is_void boolean,
    data bytea NOT NULL,
    lamports bigint NOT NULL,
    slot bigint NOT NULL
);

CREATE TABLE public.indexed_signature (
    signature text NOT NULL,
    slot bigint NOT NULL
);

CREATE TABLE public.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);

CREATE TABLE public.kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
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
    adopted_message bytea,
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
    digest bytea NOT NULL
);

INSERT INTO public.challenge VALUES ('c', 'w', 'message', 4000000000000);

INSERT INTO public.credential_revocation VALUES ('REVOKING', 'REVOKING', 'v', 'REVOKING', 5, '\x01', -1, NULL, NULL, NULL, 0, NULL, NULL, NULL, 0);
INSERT INTO public.credential_revocation VALUES ('WATCHING', 'WATCHING', 'v', 'WATCHING', 5, '\x01', -1, NULL, NULL, NULL, 0, NULL, NULL, NULL, 0);
INSERT INTO public.credential_revocation VALUES ('SETTLED', 'SETTLED', 'v', 'SETTLED', 5, '\x01', -1, NULL, NULL, NULL, 0, NULL, NULL, NULL, 0);

INSERT INTO public.deployment VALUES (1, '11111111111111111111111111111111', 'genesis');

INSERT INTO public.event VALUES ('evt_045a2f5a8c4de01dfab34744da305837', 1, 'QWmroo4YnnMqYW3cnxWkFdaTxGD3P7vMSzwMHGbUzwF', 'operation.finalized', 'operation:00000000-0000-4000-8000-000000000006', '{"kind": "PROVE", "slot": "1", "state": "FINALIZED", "signature": "7z8GcFcMNwCGuiNX7AzpkXrzhnqenSpYoA6hdHqfmbKSezHczNJCuakboR7M9FVPVsC9XxpKe8W99CuWRMYdMH7", "operationId": "00000000-0000-4000-8000-000000000006"}', 1795634408773, NULL, 0, NULL, NULL, 0);
INSERT INTO public.event VALUES ('evt_bb86897f5cd13f6a6b140429ac304421', 2, 'US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx', 'operation.failed', 'operation:00000000-0000-4000-8000-000000000007', '{"kind": "PROVE", "state": "FAILED", "failure": {"reason": "NEVER_LANDED", "message": "It never landed."}, "signature": "99eUso3aSbE9tqGSTXzo3TLfKb9RkMTURrHKQ1K7Zh3BbeqPevr5E1iCbpTjqHuTFLtfxTTD5ekfVuZFzQyEQf8", "operationId": "00000000-0000-4000-8000-000000000007"}', 1795634408839, NULL, 0, NULL, NULL, 0);

INSERT INTO public.index_position VALUES (1, 1, 1, 1, NULL, 1, 1, 0, 0, NULL, NULL, NULL, NULL, NULL);

INSERT INTO public.indexed_account VALUES ('a', 'config', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '\x01', 1, 1);

INSERT INTO public.indexed_signature VALUES ('s', 1);

INSERT INTO public.kysely_migration VALUES ('0001-tables', '2026-11-25T19:20:08.622Z');

INSERT INTO public.kysely_migration_lock VALUES ('migration_lock', 0);

INSERT INTO public.operation VALUES ('00000000-0000-4000-8000-000000000001', '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi', '00000000-0000-4000-8000-000000000001', '', 'PROVE', 'DRAFT', NULL, '\x01', NULL, 1, 1, 1, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.operation VALUES ('00000000-0000-4000-8000-000000000002', '8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR', '00000000-0000-4000-8000-000000000002', '', 'PROVE', 'EXPIRED', NULL, '\x01', NULL, 1, 1, 1, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.operation VALUES ('00000000-0000-4000-8000-000000000003', 'CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8', '00000000-0000-4000-8000-000000000003', '', 'PROVE', 'QUEUED', NULL, '\x01', '\x02', 1, 1, 1, 2, '4VZdodJgBy6dxMgm45zusmRzrPvKtiumu5YrK9RLPJADpzeJzgebxHsoQD4B58FCFS6aGUufKZka56xFiBGpB94', 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.operation VALUES ('00000000-0000-4000-8000-000000000004', 'GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq', '00000000-0000-4000-8000-000000000004', '', 'PROVE', 'SUBMITTED', NULL, '\x01', '\x02', 1, 1, 1, 2, '5f5r5AjuFd8WwUagQSztAgufUCE6rdYhXmjU5rtnBPsxmfC5fFCUGiqQCcQZmAfFzuo6gyYYm616Roc1HEhREX5', 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.operation VALUES ('00000000-0000-4000-8000-000000000005', 'LbUiWL3xVV8hTFYBVdbTNrpDo41NKS6o3LHHuDzjfcY', '00000000-0000-4000-8000-000000000005', '', 'PROVE', 'UNRESOLVED', NULL, '\x01', '\x02', 1, 1, 1, 2, '6pc4LiB8KHAPvbUbkozrTcPL5zXspYBdATv5raNDyVbhiKjrKokLb9o111kxTD5KkPVd7UBSCcFcnWFkrJ82Hu6', 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.operation VALUES ('00000000-0000-4000-8000-000000000006', 'QWmroo4YnnMqYW3cnxWkFdaTxGD3P7vMSzwMHGbUzwF', '00000000-0000-4000-8000-000000000006', '', 'PROVE', 'FINALIZED', NULL, '\x01', '\x02', 1, 1, 1, 2, '7z8GcFcMNwCGuiNX7AzpkXrzhnqenSpYoA6hdHqfmbKSezHczNJCuakboR7M9FVPVsC9XxpKe8W99CuWRMYdMH7', 1, NULL, NULL, NULL, 1, NULL, NULL, NULL, 0);
INSERT INTO public.operation VALUES ('00000000-0000-4000-8000-000000000007', 'US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx', '00000000-0000-4000-8000-000000000007', '', 'PROVE', 'FAILED', NULL, '\x01', '\x02', 1, 1, 1, 2, '99eUso3aSbE9tqGSTXzo3TLfKb9RkMTURrHKQ1K7Zh3BbeqPevr5E1iCbpTjqHuTFLtfxTTD5ekfVuZFzQyEQf8', 1, NULL, NULL, NULL, NULL, '{"reason": "NEVER_LANDED", "message": "It never landed."}', NULL, NULL, 0);

INSERT INTO public.rate_limit VALUES ('wallet:w', 1, 4000000000000);

INSERT INTO public.session VALUES ('f8af784ebbb92efc9f7140204411ae88626737a0e6bf140c6f091460ca2a43c5', '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi', 1, 4000000000000);
INSERT INTO public.session VALUES ('475d3baf05ebf20a353c10ad06659dcfcdb64621a3e08c2be15344c0bfa3494c', '8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR', 1, 4000000000000);
INSERT INTO public.session VALUES ('2d40757c9d15a0f7069d404d6f445f06ce303babf539e47a4c27c8b051d2b173', 'CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8', 1, 4000000000000);
INSERT INTO public.session VALUES ('2fa391656a39e6a5f0d8e42720d53ccb9e1339e2a654b17746dd57f34618ad61', 'GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq', 1, 4000000000000);
INSERT INTO public.session VALUES ('94eaa45aedb1deed296246ee2285f0069d818af8f38ad20d19c8cec5b9409d9d', 'LbUiWL3xVV8hTFYBVdbTNrpDo41NKS6o3LHHuDzjfcY', 1, 4000000000000);
INSERT INTO public.session VALUES ('5948986b79665ef3192ead1a39ff9c28ebafed76c5a69a23e124ac3958075aaa', 'QWmroo4YnnMqYW3cnxWkFdaTxGD3P7vMSzwMHGbUzwF', 1, 4000000000000);
INSERT INTO public.session VALUES ('3c11a0df4e8f0e2f61823438d9305264d711818308b52022235a02709ab64568', 'US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx', 1, 4000000000000);

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

INSERT INTO public.verification_session VALUES ('STARTED', 'w', 'STARTED', 1, 2, NULL, 'v', '\x01', 1, 2, '\x01', NULL, NULL, NULL, 0, NULL, NULL, NULL, 0);
INSERT INTO public.verification_session VALUES ('ISSUING', 'w', 'ISSUING', 1, 2, NULL, 'v', '\x01', 1, 2, '\x01', NULL, NULL, NULL, 0, NULL, NULL, NULL, 0);
INSERT INTO public.verification_session VALUES ('ISSUED', 'w', 'ISSUED', 1, 2, NULL, 'v', '\x01', 1, 2, '\x01', NULL, NULL, NULL, 0, NULL, NULL, NULL, 0);
INSERT INTO public.verification_session VALUES ('FAILED', 'w', 'FAILED', 1, 2, NULL, 'v', '\x01', 1, 2, '\x01', NULL, NULL, NULL, 0, NULL, NULL, NULL, 0);

INSERT INTO public.webhook_delivery VALUES ('msg_1', 'verification.completed', 'ISSUED', 1, '\x01');

SELECT pg_catalog.setval('public.event_position', 2, true);

ALTER TABLE ONLY public.challenge
    ADD CONSTRAINT challenge_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.credential_revocation
    ADD CONSTRAINT credential_revocation_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.credential_revocation
    ADD CONSTRAINT credential_revocation_wallet_verifier_authority_key UNIQUE (wallet, verifier_authority);

ALTER TABLE ONLY public.deployment
    ADD CONSTRAINT deployment_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_cause_key UNIQUE (cause);

ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_position_key UNIQUE ("position");

ALTER TABLE ONLY public.index_position
    ADD CONSTRAINT index_position_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.indexed_account
    ADD CONSTRAINT indexed_account_pkey PRIMARY KEY (address);

ALTER TABLE ONLY public.indexed_signature
    ADD CONSTRAINT indexed_signature_pkey PRIMARY KEY (signature);

ALTER TABLE ONLY public.kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.operation
    ADD CONSTRAINT operation_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.operation
    ADD CONSTRAINT operation_signature_key UNIQUE (signature);

ALTER TABLE ONLY public.rate_limit
    ADD CONSTRAINT rate_limit_pkey PRIMARY KEY (key);

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

CREATE INDEX event_age ON public.event USING btree (created_at);

CREATE INDEX event_due ON public.event USING btree (due_at, "position") WHERE (delivered_at IS NULL);

CREATE INDEX event_waiting ON public.event USING btree (wallet, "position") WHERE (delivered_at IS NULL);

CREATE INDEX indexed_account_credential_slice ON public.indexed_account USING btree (get_byte(data, 3)) WHERE (kind = 'credential'::text);

CREATE INDEX indexed_account_kind ON public.indexed_account USING btree (kind, address);

CREATE INDEX indexed_account_pass_notice ON public.indexed_account USING btree (((expires_at - LEAST((86400)::bigint, ((expires_at - issued_at) / 2))))) WHERE (kind = 'pass'::text);

CREATE INDEX indexed_account_pass_slice ON public.indexed_account USING btree (get_byte(data, 35)) WHERE (kind = 'pass'::text);

CREATE INDEX indexed_account_rule ON public.indexed_account USING btree (rule, kind, expires_at);

CREATE INDEX indexed_account_wallet ON public.indexed_account USING btree (wallet, kind);

CREATE INDEX operation_draft_heights ON public.operation USING btree (last_valid_block_height) WHERE (state = 'DRAFT'::text);

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

CREATE TRIGGER event_id BEFORE INSERT ON public.event FOR EACH ROW EXECUTE FUNCTION public.event_id();

CREATE CONSTRAINT TRIGGER event_position AFTER INSERT ON public.event DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.event_position();

CREATE TRIGGER operation_event AFTER UPDATE ON public.operation FOR EACH ROW WHEN (((new.state IS DISTINCT FROM old.state) AND (new.state = ANY (ARRAY['FINALIZED'::text, 'FAILED'::text])))) EXECUTE FUNCTION public.operation_event();

CREATE TRIGGER operation_state BEFORE INSERT OR UPDATE ON public.operation FOR EACH ROW EXECUTE FUNCTION public.state_guard('DRAFT');

CREATE TRIGGER operation_unchanged BEFORE DELETE OR UPDATE ON public.operation FOR EACH ROW EXECUTE FUNCTION public.operation_unchanged();

CREATE TRIGGER verification_session_state BEFORE INSERT OR UPDATE ON public.verification_session FOR EACH ROW EXECUTE FUNCTION public.state_guard('STARTED');

CREATE TRIGGER verification_session_unchanged BEFORE DELETE OR UPDATE ON public.verification_session FOR EACH ROW EXECUTE FUNCTION public.verification_session_unchanged();

ALTER TABLE ONLY public.webhook_delivery
    ADD CONSTRAINT webhook_delivery_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.verification_session(id);
