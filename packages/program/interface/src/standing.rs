//! Whether a pass is live.

use crate::{Config, Key, Pass};

/// What a pass is worth at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The wallet proved the rule set, and nothing ended the pass.
    Live,
    /// The creator of the rule set granted the pass without a proof, and nothing ended it.
    Granted,
    /// The creator of the rule set suspended the pass.
    Suspended,
    /// The pass has expired, or was ended before its time.
    Expired,
    /// The pass is for another rule set or another wallet.
    OfAnother,
}

/// Returns what a pass is worth for a wallet and a rule set at `now`, in Unix seconds of the Clock sysvar.
///
/// A suspension comes before the rest, because the holder cannot renew a suspended pass.
#[inline]
pub fn standing(pass: &Pass, config: &Config, now: u64, rule: &Key, wallet: &Key) -> Standing {
    if pass.rule != rule || pass.wallet != wallet {
        Standing::OfAnother
    } else if now < pass.suspended_until {
        Standing::Suspended
    } else if pass.expires_at <= now || pass.issued_at < config.passes_valid_from {
        Standing::Expired
    } else if pass.granted {
        Standing::Granted
    } else {
        Standing::Live
    }
}

/// Returns whether a wallet holds a live pass of a rule set at `now`, in Unix seconds of the Clock sysvar.
///
/// A granted pass does not count. [`standing`] returns [`Standing::Granted`] for it, if you want to admit custodians and
/// vaults too.
#[inline]
pub fn is_live(pass: &Pass, config: &Config, now: u64, rule: &Key, wallet: &Key) -> bool {
    standing(pass, config, now, rule, wallet) == Standing::Live
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unreadable;

    const PROGRAM: Key = [7; 32];
    const RULE: Key = [1; 32];
    const WALLET: Key = [2; 32];
    const NOW: u64 = 1_000;

    /// The bytes of a pass that is live from 900 to 1,100.
    fn pass_bytes(change: impl Fn(&mut [u8; Pass::SIZE])) -> [u8; Pass::SIZE] {
        let mut bytes = [0; Pass::SIZE];
        bytes[..3].copy_from_slice(&[Pass::TYPE, 2, 255]);
        bytes[3..35].copy_from_slice(&RULE);
        bytes[35..67].copy_from_slice(&WALLET);
        bytes[67..75].copy_from_slice(&1_100u64.to_le_bytes());
        bytes[75..83].copy_from_slice(&900u64.to_le_bytes());
        change(&mut bytes);
        bytes
    }

    fn config_bytes(valid_from: u64) -> [u8; Config::SIZE] {
        let mut bytes = [0; Config::SIZE];
        bytes[..3].copy_from_slice(&[Config::TYPE, 1, 255]);
        bytes[202..210].copy_from_slice(&valid_from.to_le_bytes());
        bytes
    }

    fn at(now: u64, bytes: &[u8; Pass::SIZE], valid_from: u64) -> Standing {
        let config = config_bytes(valid_from);
        let config = Config::read(&PROGRAM, &PROGRAM, &config).expect("config");
        let pass = Pass::read(&PROGRAM, &PROGRAM, bytes).expect("pass");
        let found = standing(&pass, &config, now, &RULE, &WALLET);
        assert_eq!(is_live(&pass, &config, now, &RULE, &WALLET), found == Standing::Live);
        found
    }

    #[test]
    fn a_pass_is_live_until_it_expires() {
        let bytes = pass_bytes(|_| {});
        assert_eq!((at(NOW, &bytes, 0), at(1_099, &bytes, 900)), (Standing::Live, Standing::Live));
        assert_eq!(at(1_100, &bytes, 0), Standing::Expired);
    }

    #[test]
    fn governance_ends_the_passes_that_were_issued_before() {
        assert_eq!(at(NOW, &pass_bytes(|_| {}), 901), Standing::Expired);
    }

    #[test]
    fn a_suspension_holds_until_its_last_second_also_for_a_grant_and_an_expired_pass() {
        let suspended = |bytes: &mut [u8; Pass::SIZE]| bytes[179..187].copy_from_slice(&1_050u64.to_le_bytes());
        assert_eq!(at(1_049, &pass_bytes(suspended), 0), Standing::Suspended);
        assert_eq!(at(1_050, &pass_bytes(suspended), 0), Standing::Live);
        assert_eq!(at(1_049, &pass_bytes(suspended), 2_000), Standing::Suspended);
        let granted = pass_bytes(|bytes| {
            suspended(bytes);
            bytes[187] = 1;
        });
        assert_eq!((at(1_049, &granted, 0), at(1_050, &granted, 0)), (Standing::Suspended, Standing::Granted));
    }

    #[test]
    fn a_granted_pass_is_not_one_that_was_proved() {
        let granted = pass_bytes(|bytes| bytes[187] = 1);
        assert_eq!((at(NOW, &granted, 0), at(1_100, &granted, 0)), (Standing::Granted, Standing::Expired));
    }

    #[test]
    fn a_pass_of_another_wallet_or_rule_set_does_not_count() {
        for at_byte in [3, 34, 35, 66] {
            assert_eq!(at(NOW, &pass_bytes(|bytes| bytes[at_byte] ^= 1), 0), Standing::OfAnother);
        }
    }

    #[test]
    fn an_account_of_another_program_type_version_or_size_is_not_read() {
        let good = pass_bytes(|_| {});
        assert!(Pass::read(&PROGRAM, &PROGRAM, &pass_bytes(|bytes| bytes[1] = 1)).is_ok());
        assert_eq!(Pass::read(&PROGRAM, &[0; 32], &good), Err(Unreadable::Owner));
        for (place, value) in [(0, 1), (1, 0), (1, Pass::VERSION + 1), (1, 255)] {
            let bytes = pass_bytes(|bytes| bytes[place] = value);
            assert_eq!(Pass::read(&PROGRAM, &PROGRAM, &bytes), Err(Unreadable::Layout), "{place} {value}");
        }
        for size in [0, 1, 2, Pass::SIZE - 1] {
            assert_eq!(Pass::read(&PROGRAM, &PROGRAM, &good[..size]), Err(Unreadable::Layout), "{size}");
        }
        let mut longer = [0; Pass::SIZE + 1];
        longer[..Pass::SIZE].copy_from_slice(&good);
        assert_eq!(Pass::read(&PROGRAM, &PROGRAM, &longer), Err(Unreadable::Layout));
        assert_eq!(Config::read(&PROGRAM, &[0; 32], &config_bytes(0)), Err(Unreadable::Owner));
        assert_eq!(Config::read(&PROGRAM, &PROGRAM, &good), Err(Unreadable::Layout));
    }
}
