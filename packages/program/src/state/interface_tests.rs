//! Compares what the crate for other programs reads with the layouts of this program.

use super::{Clause, Config, Flag, MintBinding, Pass, Plain, Record, RuleSet, U64};
use core::mem::size_of;
use pinocchio::Address;
use rule_set_pass_interface::{self as interface, seeds, standing, Key, Standing, Unreadable};

const PROGRAM: Key = [7; 32];

/// Bytes of which neighbours differ, so that a field that is read from another place has another value.
fn account<T: Record, const SIZE: usize>() -> [u8; SIZE] {
    let mut bytes = [0; SIZE];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = (at % 251) as u8;
    }
    bytes[..3].copy_from_slice(&[T::TYPE, T::VERSION, 255]);
    bytes
}

/// Checks that the crate knows the type, the size and the newest version, and no later one.
macro_rules! same_header {
    ($layout:ident, $bytes:ident) => {
        assert_eq!((interface::$layout::TYPE, interface::$layout::VERSION), ($layout::TYPE, $layout::VERSION));
        assert_eq!(interface::$layout::SIZE, size_of::<$layout>());
        let mut later = $bytes;
        later[1] = $layout::VERSION.wrapping_add(1);
        assert_eq!(interface::$layout::read(&PROGRAM, &PROGRAM, &later), Err(Unreadable::Layout));
    };
}

#[test]
fn the_crate_reads_each_field_of_a_pass() {
    let mut bytes = account::<Pass, { size_of::<Pass>() }>();
    for granted in [false, true] {
        bytes[core::mem::offset_of!(Pass, granted)] = u8::from(granted);
        let ours = Pass::at_front(&bytes).expect("pass");
        let read = interface::Pass::read(&PROGRAM, &PROGRAM, &bytes).expect("pass");
        let expected = interface::Pass {
            rule: ours.rule.as_array(),
            wallet: ours.wallet.as_array(),
            expires_at: ours.expires_at.get(),
            issued_at: ours.issued_at.get(),
            verifier: ours.verifier.as_array(),
            suspended_until: ours.suspended_until.get(),
            granted: ours.granted.get(),
        };
        assert_eq!((read, read.granted), (expected, granted));
    }
    same_header!(Pass, bytes);
}

#[test]
fn the_crate_reads_each_field_of_a_binding() {
    let mut bytes = account::<MintBinding, { size_of::<MintBinding>() }>();
    for set in 0..3 {
        let [require_source, honours_granted, reads_credential] = [0, 1, 2].map(|flag| flag == set);
        bytes[core::mem::offset_of!(MintBinding, require_source)] = u8::from(require_source);
        bytes[core::mem::offset_of!(MintBinding, honours_granted)] = u8::from(honours_granted);
        bytes[core::mem::offset_of!(MintBinding, reads_credential)] = u8::from(reads_credential);
        let ours = MintBinding::at_front(&bytes).expect("binding");
        let read = interface::MintBinding::read(&PROGRAM, &PROGRAM, &bytes).expect("binding");
        let expected = interface::MintBinding {
            mint: ours.mint.as_array(),
            rule: ours.rule.as_array(),
            issuer: ours.issuer.as_array(),
            require_source,
            honours_granted,
            reads_credential,
        };
        assert_eq!(read, expected);
    }
    same_header!(MintBinding, bytes);
}

#[test]
fn the_crate_reads_each_field_of_config() {
    let mut bytes = account::<Config, { size_of::<Config>() }>();
    for paused in [false, true] {
        bytes[core::mem::offset_of!(Config, paused)] = u8::from(paused);
        let ours = Config::at_front(&bytes).expect("config");
        let read = interface::Config::read(&PROGRAM, &PROGRAM, &bytes).expect("config");
        assert_eq!(read, interface::Config { paused, passes_valid_from: ours.passes_valid_from.get() });
        assert_eq!(read, ours.into());
    }
    same_header!(Config, bytes);
}

#[test]
fn the_crate_reads_each_field_of_a_rule_set() {
    let mut bytes = account::<RuleSet, { RuleSet::space_for(1) }>();
    bytes[size_of::<RuleSet>() - 1] = 1;
    for (powers, is_some) in [(RuleSet::MAY_SUSPEND, 0), (RuleSet::MAY_GRANT, 1)] {
        bytes[core::mem::offset_of!(RuleSet, powers)] = powers;
        bytes[core::mem::offset_of!(RuleSet, verifier)] = is_some;
        let ours = RuleSet::at_front(&bytes).expect("rule set");
        let verifier = ours.verifier.get();
        let read = interface::RuleSet::read(&PROGRAM, &PROGRAM, &bytes).expect("rule set");
        let expected = interface::RuleSet {
            creator: ours.creator.as_array(),
            nonce: ours.nonce.get(),
            may_suspend: powers == RuleSet::MAY_SUSPEND,
            may_grant: powers == RuleSet::MAY_GRANT,
            verifier: verifier.as_ref().map(Address::as_array),
            wallets_per_person: ours.wallets_per_person,
        };
        assert_eq!((read, read.verifier.is_some()), (expected, is_some == 1));
    }
    assert_eq!(interface::RuleSet::CLAUSE_SIZE, size_of::<Clause>());
    same_header!(RuleSet, bytes);
}

/// `prove`, `close-pass` and the instructions of creators ask the pass itself, and the hook asks the crate.
#[test]
fn the_crate_and_the_program_agree_when_a_pass_is_live() {
    let mut bytes = account::<Pass, { size_of::<Pass>() }>();
    let now = 10;
    for (suspended, expires, issued, valid_from, granted) in combinations() {
        let pass = Pass::at_front_mut(&mut bytes).expect("pass");
        (pass.suspended_until, pass.expires_at, pass.issued_at) =
            (U64::new(suspended), U64::new(expires), U64::new(issued));
        pass.granted = Flag::new(granted);
        let expected = if pass.is_suspended(now) {
            Standing::Suspended
        } else if pass.is_expired(now) || pass.predates(valid_from) {
            Standing::Expired
        } else if granted {
            Standing::Granted
        } else {
            Standing::Live
        };
        let (rule, wallet) = (*pass.rule.as_array(), *pass.wallet.as_array());
        let config = interface::Config { paused: false, passes_valid_from: valid_from };
        let read = interface::Pass::read(&PROGRAM, &PROGRAM, &bytes).expect("pass");
        assert_eq!(standing(&read, &config, now, &rule, &wallet), expected);
    }
}

/// Times just before, at and after 10, in each place.
fn combinations() -> impl Iterator<Item = (u64, u64, u64, u64, bool)> {
    const TIMES: [u64; 3] = [9, 10, 11];
    TIMES.into_iter().flat_map(|suspended| {
        TIMES.into_iter().flat_map(move |expires| {
            TIMES.into_iter().flat_map(move |issued| {
                TIMES.into_iter().flat_map(move |valid_from| {
                    [false, true].map(|granted| (suspended, expires, issued, valid_from, granted))
                })
            })
        })
    })
}

#[test]
fn the_seeds_are_those_of_the_interface() {
    assert_eq!(Pass::SEED, seeds::PASS);
    assert_eq!(
        [Config::SEED, RuleSet::SEED, MintBinding::SEED, super::Credential::SEED],
        [b"config".as_slice(), b"rule", b"binding", b"credential"]
    );
}
