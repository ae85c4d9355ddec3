//! Signatures in instruction data, which the ed25519 precompile has verified.

use crate::addresses::ED25519_PRECOMPILE;
use crate::error::{Error, Result};
use pinocchio::sysvars::instructions::Instructions;
use pinocchio::{AccountView, Address};

/// Bytes of one entry of the precompile's instruction, after a count and a byte of padding.
const ENTRY_SIZE: usize = 14;
/// Index that means the precompile's own instruction.
const THIS_INSTRUCTION: u16 = u16::MAX;

/// Where the precompile read signature, key and message.
struct Entry {
    signature_instruction: u16,
    key_offset: u16,
    key_instruction: u16,
    message_offset: u16,
    message_size: u16,
    message_instruction: u16,
}

impl Entry {
    fn read(bytes: &[u8; ENTRY_SIZE]) -> Option<Self> {
        let (numbers, _) = bytes.as_chunks();
        let [_signature_offset, signature_at, key_offset, key_at, message_offset, message_size, message_at] = numbers
        else {
            return None;
        };
        Some(Self {
            signature_instruction: u16::from_le_bytes(*signature_at),
            key_offset: u16::from_le_bytes(*key_offset),
            key_instruction: u16::from_le_bytes(*key_at),
            message_offset: u16::from_le_bytes(*message_offset),
            message_size: u16::from_le_bytes(*message_size),
            message_instruction: u16::from_le_bytes(*message_at),
        })
    }
}

/// Rejects the transaction unless the instruction right before this one belongs to the ed25519 precompile and verifies
/// one signature: that of `signer` over exactly `message`, with every part inside that instruction.
///
/// The runtime runs the precompile before any program, so only its input needs a check. An entry that points into
/// another instruction could show one message here and have another one verified.
pub fn require_signed<const N: usize>(instructions: &AccountView, signer: &Address, message: &[u8; N]) -> Result {
    let instructions = Instructions::try_from(instructions).map_err(|_| Error::WrongProgram)?;
    let own = instructions.load_current_index().checked_sub(1).ok_or(Error::CredentialSignatureInvalid)?;
    let instruction = instructions.load_instruction_at(own.into()).map_err(|_| Error::CredentialSignatureInvalid)?;
    if instruction.get_program_id() != &ED25519_PRECOMPILE {
        return Err(Error::CredentialSignatureInvalid);
    }
    let signed = signs(instruction.get_instruction_data(), own, signer, message);
    signed.filter(|&signed| signed).map(drop).ok_or(Error::CredentialSignatureInvalid)
}

/// Returns whether the precompile's data verifies `message` by `signer`; none when the data is too short.
fn signs<const N: usize>(data: &[u8], own: u16, signer: &Address, message: &[u8; N]) -> Option<bool> {
    let [1, 0, rest @ ..] = data else { return None };
    let entry = Entry::read(rest.first_chunk()?)?;
    let is_here = |index: u16| index == THIS_INSTRUCTION || index == own;
    let key: &[u8; 32] = data.get(entry.key_offset.into()..)?.first_chunk()?;
    let signed: &[u8; N] = data.get(entry.message_offset.into()..)?.first_chunk()?;
    Some(
        is_here(entry.signature_instruction)
            && is_here(entry.key_instruction)
            && is_here(entry.message_instruction)
            && usize::from(entry.message_size) == N
            && key == signer.as_array()
            && signed == message,
    )
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects)]
mod tests {
    use super::*;

    const SIGNER: Address = Address::new_from_array([7; 32]);
    const MESSAGE: [u8; 3] = *b"abc";
    /// Count and padding, entry, key, signature, message.
    const SIZE: usize = 2 + ENTRY_SIZE + 32 + 64 + 3;

    fn data() -> [u8; SIZE] {
        let mut data = [0; SIZE];
        data[0] = 1;
        let entry: [u16; 7] = [48, u16::MAX, 16, u16::MAX, 112, 3, u16::MAX];
        for (index, number) in entry.into_iter().enumerate() {
            data[2 + 2 * index..4 + 2 * index].copy_from_slice(&number.to_le_bytes());
        }
        data[16..48].copy_from_slice(SIGNER.as_array());
        data[112..].copy_from_slice(&MESSAGE);
        data
    }

    fn check(data: &[u8]) -> bool {
        signs(data, 4, &SIGNER, &MESSAGE) == Some(true)
    }

    #[test]
    fn takes_the_usual_layout_and_its_own_index() {
        assert!(check(&data()));
        let mut by_index = data();
        for at in [4, 8, 14] {
            by_index[at..at + 2].copy_from_slice(&4_u16.to_le_bytes());
        }
        assert!(check(&by_index));
    }

    #[test]
    fn refuses_a_change_of_any_byte_but_the_signature() {
        // The signature's place and bytes are the precompile's to check.
        let unread = |at: usize| (2..4).contains(&at) || (48..112).contains(&at);
        for at in (0..SIZE).filter(|&at| !unread(at)) {
            let mut changed = data();
            changed[at] ^= 1;
            assert!(!check(&changed), "byte {at}");
        }
    }

    #[test]
    fn refuses_any_part_in_another_instruction() {
        for at in [4, 8, 14] {
            let mut elsewhere = data();
            elsewhere[at..at + 2].copy_from_slice(&3_u16.to_le_bytes());
            assert!(!check(&elsewhere), "entry at {at}");
        }
    }

    #[test]
    fn refuses_data_that_is_cut_short() {
        for length in 0..SIZE {
            assert!(!check(&data()[..length]), "{length} bytes");
        }
    }
}
