//! The list of extra accounts of a gate, and the call of the gate with them. The list has the format of the library
//! `spl-tlv-account-resolution`: entries of type (8 bytes), length (4) and value.

use crate::error::{require, Error, Result};
use crate::syscalls::find_program_address;
use pinocchio::cpi::invoke_with_bounds;
use pinocchio::instruction::{InstructionAccount, InstructionView};
use pinocchio::{AccountView, Address};

/// The most accounts of a question: the five of the interface, the list, and ten that it names.
const MOST_ACCOUNTS: usize = 16;
/// Bytes of an entry of the list: how its address is given (1), that (32), whether it signs (1), whether it is writable (1).
const META: usize = 35;
const MOST_SEEDS: usize = 15;

/// A question to a gate.
pub struct Question {
    /// First eight bytes of the instruction, and the type of the entry in the list.
    pub discriminator: [u8; 8],
    /// First seed of the address of the list. The mint follows.
    pub list_seed: &'static [u8],
}

/// The accounts of a call in their order.
struct Call<'a> {
    accounts: [&'a AccountView; MOST_ACCOUNTS],
    metas: [InstructionAccount<'a>; MOST_ACCOUNTS],
    count: usize,
}

impl<'a> Call<'a> {
    fn push(&mut self, account: &'a AccountView, is_writable: bool, is_signer: bool) -> Result {
        let (Some(place), Some(meta)) = (self.accounts.get_mut(self.count), self.metas.get_mut(self.count)) else {
            return Err(Error::ListInvalid);
        };
        *place = account;
        *meta = InstructionAccount::new(account.address(), is_writable, is_signer);
        self.count = self.count.wrapping_add(1);
        Ok(())
    }

    fn account(&self, index: u8) -> Result<&'a AccountView> {
        self.accounts.get(..self.count).and_then(|all| all.get(usize::from(index))).copied().ok_or(Error::ListInvalid)
    }

    /// Adds an account that the list names. An account that is in the call already gets no more rights than it has there.
    fn push_named(&mut self, account: &'a AccountView, is_writable: bool, is_signer: bool) -> Result {
        let (mut is_known, mut can_write, mut can_sign) = (false, false, false);
        for meta in self.metas.iter().take(self.count).filter(|meta| meta.address == account.address()) {
            is_known = true;
            can_write |= meta.is_writable;
            can_sign |= meta.is_signer;
        }
        self.push(account, is_writable && (can_write || !is_known), is_signer && (can_sign || !is_known))
    }
}

/// Asks a gate. `interface` has the caller, the token account, the mint, its owner and the flag. None of them signs or is
/// writable for the gate. The list is optional: a gate that needs it has to refuse when it is missing.
#[inline(never)]
pub fn ask(question: &Question, gate: &Address, interface: &[AccountView; 5], others: &[AccountView]) -> Result {
    let [caller, _, mint, _, _] = interface;
    let mut call = Call {
        accounts: [caller; MOST_ACCOUNTS],
        metas: core::array::from_fn(|_| InstructionAccount::readonly(caller.address())),
        count: 0,
    };
    for account in interface {
        call.push(account, false, false)?;
    }
    let (address, _) = find_program_address(&[question.list_seed, mint.address().as_ref()], gate)?;
    if let Some(list) = others.iter().find(|account| account.address() == &address) {
        call.push(list, false, false)?;
        add_named(&mut call, question, gate, others)?;
    }
    let accounts = call.metas.get(..call.count).ok_or(Error::ListInvalid)?;
    let views = call.accounts.get(..call.count).ok_or(Error::ListInvalid)?;
    let instruction = InstructionView { program_id: gate, data: &question.discriminator, accounts };
    invoke_with_bounds::<MOST_ACCOUNTS, _>(&instruction, views).map_err(|_| Error::AccountBorrowFailed)
}

/// Adds the accounts that the list, the last account of the call, names. Each must be one of `others`.
fn add_named<'a>(call: &mut Call<'a>, question: &Question, gate: &Address, others: &'a [AccountView]) -> Result {
    const LIST: u8 = 5;
    let data = call.account(LIST)?.try_borrow().map_err(|_| Error::AccountBorrowFailed)?;
    for entry in entries(&data, &question.discriminator)? {
        let (&[kind], rest) = entry.split_first_chunk().ok_or(Error::ListInvalid)?;
        let (config, rest) = rest.split_first_chunk::<32>().ok_or(Error::ListInvalid)?;
        let &[is_signer, is_writable] = rest else { return Err(Error::ListInvalid) };
        let address = match kind {
            0 => Address::new_from_array(*config),
            1 => derived(call, config, gate, question)?,
            128.. => derived(call, config, call.account(kind & 127)?.address(), question)?,
            _ => return Err(Error::ListInvalid),
        };
        let account = others.iter().find(|account| account.address() == &address).ok_or(Error::IncorrectAccount)?;
        call.push_named(account, is_writable != 0, is_signer != 0)?;
    }
    Ok(())
}

/// Returns the entries of the list: the value of the first entry of the discriminator's type, after its count.
fn entries<'a>(data: &'a [u8], discriminator: &[u8; 8]) -> Result<&'a [[u8; META]]> {
    let mut rest = data;
    loop {
        let (kind, after) = rest.split_first_chunk::<8>().ok_or(Error::ListInvalid)?;
        let (length, after) = after.split_first_chunk().ok_or(Error::ListInvalid)?;
        let length = u32::from_le_bytes(*length) as usize;
        let (value, next) = after.split_at_checked(length).ok_or(Error::ListInvalid)?;
        if kind == discriminator {
            let (count, metas) = value.split_first_chunk().ok_or(Error::ListInvalid)?;
            let count = u32::from_le_bytes(*count) as usize;
            return metas.as_chunks().0.get(..count).ok_or(Error::ListInvalid);
        }
        rest = next;
    }
}

/// Derives the address of an entry from its seeds. A seed is a literal, a part of the instruction, the address of an
/// earlier account, or a part of its data.
fn derived(call: &Call, config: &[u8; 32], program: &Address, question: &Question) -> Result<Address> {
    let mut bytes = [[0; 32]; MOST_SEEDS];
    let mut lengths = [0; MOST_SEEDS];
    let mut count = 0;
    let mut rest = config.as_slice();
    while let (Some((&kind, after)), true) = (rest.split_first(), count < MOST_SEEDS) {
        let seed = bytes.get_mut(count).ok_or(Error::ListInvalid)?;
        let (length, next) = match (kind, after) {
            (0, _) => break,
            (1, [length, literal @ ..]) => (copy(literal, 0, *length, seed)?, literal.get(usize::from(*length)..)),
            (2, [from, length, next @ ..]) => (copy(&question.discriminator, *from, *length, seed)?, Some(next)),
            (3, [index, next @ ..]) => (copy(call.account(*index)?.address().as_ref(), 0, 32, seed)?, Some(next)),
            (4, [index, from, length, next @ ..]) => {
                let data = call.account(*index)?.try_borrow().map_err(|_| Error::AccountBorrowFailed)?;
                (copy(&data, *from, *length, seed)?, Some(next))
            }
            _ => return Err(Error::ListInvalid),
        };
        *lengths.get_mut(count).ok_or(Error::ListInvalid)? = length;
        count = count.wrapping_add(1);
        rest = next.ok_or(Error::ListInvalid)?;
    }
    let mut seeds: [&[u8]; MOST_SEEDS] = [&[]; MOST_SEEDS];
    for ((seed, from), &length) in seeds.iter_mut().zip(&bytes).zip(&lengths) {
        *seed = from.get(..length).ok_or(Error::ListInvalid)?;
    }
    Ok(find_program_address(seeds.get(..count).ok_or(Error::ListInvalid)?, program)?.0)
}

/// Copies a part of `data` and returns its length. BPF has no copy of variable length, so it copies each byte.
fn copy(data: &[u8], from: u8, length: u8, to: &mut [u8; 32]) -> Result<usize> {
    let (from, length) = (usize::from(from), usize::from(length));
    let part = data.get(from..from.wrapping_add(length)).ok_or(Error::ListInvalid)?;
    require(length <= to.len(), Error::ListInvalid)?;
    for (to, from) in to.iter_mut().zip(part) {
        *to = *from;
    }
    Ok(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pinocchio::account::{RuntimeAccount, NOT_BORROWED};

    fn account(address: u8) -> RuntimeAccount {
        RuntimeAccount {
            borrow_state: NOT_BORROWED,
            is_signer: 1,
            is_writable: 1,
            executable: 0,
            padding: [0; 4],
            address: Address::new_from_array([address; 32]),
            owner: Address::default(),
            lamports: 1,
            data_len: 0,
        }
    }

    #[test]
    fn gives_an_account_of_the_call_no_more_rights_and_another_one_those_of_the_list() {
        let (mut first, mut other) = (account(1), account(2));
        // SAFETY: an account without data is only its header.
        let views = unsafe { [AccountView::new_unchecked(&raw mut first), AccountView::new_unchecked(&raw mut other)] };
        let [known, new] = &views;
        let metas = core::array::from_fn(|_| InstructionAccount::readonly(known.address()));
        let mut call = Call { accounts: [known; MOST_ACCOUNTS], metas, count: 0 };
        call.push(known, false, false).unwrap();
        call.push_named(known, true, true).unwrap();
        call.push_named(new, true, true).unwrap();
        call.push_named(new, false, false).unwrap();
        let rights = call.metas[..call.count].iter().map(|meta| (meta.is_writable, meta.is_signer));
        assert!(rights.eq([(false, false), (false, false), (true, true), (false, false)]));
        for _ in call.count..MOST_ACCOUNTS {
            call.push(new, false, false).unwrap();
        }
        assert_eq!(call.push(new, false, false), Err(Error::ListInvalid));
    }

    #[test]
    fn finds_the_entries_of_a_question_after_others() {
        let mut data = [0; 8 + 4 + 1 + 8 + 4 + 4 + META];
        data[..13].copy_from_slice(&[9, 9, 9, 9, 9, 9, 9, 9, 1, 0, 0, 0, 5]);
        data[13..21].copy_from_slice(&[7; 8]);
        data[21] = 4 + META as u8;
        data[25] = 1;
        assert_eq!(entries(&data, &[7; 8]).map(<[_]>::len), Ok(1));
        assert_eq!(entries(&data, &[8; 8]), Err(Error::ListInvalid));
        data[25] = 2;
        assert_eq!(entries(&data, &[7; 8]), Err(Error::ListInvalid));
        data[25] = 1;
        data[21] = 5 + META as u8;
        assert_eq!(entries(&data, &[7; 8]), Err(Error::ListInvalid));
    }

    #[test]
    fn copies_a_part_of_at_most_32_bytes() {
        let data = [3; 64];
        let mut seed = [0; 32];
        assert_eq!(copy(&data, 60, 4, &mut seed), Ok(4));
        assert_eq!(seed[..5], [3, 3, 3, 3, 0]);
        assert_eq!(copy(&data, 61, 4, &mut seed), Err(Error::ListInvalid));
        assert_eq!(copy(&data, 0, 33, &mut seed), Err(Error::ListInvalid));
    }
}
