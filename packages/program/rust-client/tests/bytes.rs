//! Compares the client with the bytes that the TypeScript client writes, which the tests of the program use.

use borsh::BorshSerialize;
use rule_set_pass_client::accounts::{Circuit, Config, Credential, MintBinding, Pass, RuleSet, Treasury, Verifier};
use rule_set_pass_client::instructions::{
    BindMint, BindMintInstructionArgs, CreateRuleSet, CreateRuleSetInstructionArgs, SetPassFee,
    SetPassFeeInstructionArgs,
};
use rule_set_pass_client::types::{BindingTerms, MaybeU64, RuleSetTerms};
use solana_pubkey::Pubkey;

/// A file that `scripts/check-rust-client.ts` writes.
macro_rules! golden {
    ($name:literal) => {
        include_bytes!(concat!("golden/", $name)).as_slice()
    };
}

fn pubkey(bytes: &[u8]) -> Pubkey {
    Pubkey::try_from(bytes).expect("32 bytes")
}

fn bytes_of(value: &impl BorshSerialize) -> Vec<u8> {
    borsh::to_vec(value).expect("bytes")
}

#[test]
fn derives_the_same_addresses() {
    let creator = pubkey(golden!("creator"));
    let id = golden!("circuit-id").try_into().expect("32 bytes");
    assert_eq!(RuleSet::find_pda(&creator, 258u64.to_le_bytes()).0, pubkey(golden!("rule-set-address")));
    assert_eq!(Circuit::find_pda(id).0, pubkey(golden!("circuit-address")));
    assert_eq!(Pass::find_pda(&pubkey(golden!("rule-set-address")), &creator).0, pubkey(golden!("pass-address")));
}

#[test]
fn reads_accounts_whole_with_and_without_their_options() {
    macro_rules! same {
        ($($type:ident $name:literal)*) => {
            $(assert_eq!(bytes_of(&$type::from_bytes(golden!($name)).expect($name)), golden!($name), $name);)*
        };
    }
    same!(
        Config "config-full" Config "config-empty" Circuit "circuit-live" Circuit "circuit-retired" Credential "credential"
        MintBinding "mint-binding" Pass "pass" RuleSet "rule-set" Treasury "treasury" Verifier "verifier"
    );
    assert!(MintBinding::from_bytes(golden!("mint-binding")).expect("binding").reads_credential);
    let empty = Config::from_bytes(golden!("config-empty")).expect("config");
    assert!(!empty.pass_fee.is_some && empty.passes_valid_from == 1_760_000_000);
}

#[test]
fn writes_the_same_instructions() {
    let account = pubkey(golden!("creator"));
    let rule_set = RuleSet::from_bytes(golden!("rule-set")).expect("rule set");
    let create = CreateRuleSet { creator: account, rule_set: account, config: account, system_program: account };
    let created = create.instruction(CreateRuleSetInstructionArgs {
        nonce: 258,
        name: borsh::from_slice(b"\x06Adults").expect("a byte of length, then the name"),
        max_pass_age_seconds: 86_400,
        clauses: rule_set.clauses,
        terms: RuleSetTerms { powers: rule_set.powers, verifier: rule_set.verifier },
    });
    assert_eq!(created.data, golden!("create-rule-set-data"));
    let bind = BindMint {
        issuer: account,
        mint: account,
        rule_set: account,
        mint_binding: account,
        extra_account_meta_list: account,
        config: account,
        token_program: account,
        system_program: account,
    };
    let terms = BindingTerms { honours_granted: false, reads_credential: true };
    let bound = bind.instruction(BindMintInstructionArgs { require_source: false, terms });
    assert_eq!(bound.data, golden!("bind-mint-data"));
    let fee = SetPassFee { authority: account, config: account };
    let pass_fee = MaybeU64 { is_some: false, value: 0 };
    assert_eq!(fee.instruction(SetPassFeeInstructionArgs { pass_fee }).data, golden!("unset-pass-fee-data"));
}
