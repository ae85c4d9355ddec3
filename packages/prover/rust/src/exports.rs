//! The functions of the module. Each runs to its end on the only thread, and no call happens within another.
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::ptr::null;

use crate::key::Key;
use crate::prover::{Proving, Step};

/// The values that all calls share.
struct State {
    /// Bytes from the caller: a key, the input of a proof, or a statement to verify.
    input: Vec<u8>,
    key: Option<Key>,
    /// In a block of its own, which is overwritten when it is freed.
    proving: Option<Box<Proving>>,
}

struct Shared(RefCell<State>);

// The module has one thread.
unsafe impl Sync for Shared {}

static STATE: Shared = Shared(RefCell::new(State { input: Vec::new(), key: None, proving: None }));

/// Reserves bytes for the input of the next call, which the caller writes. Returns their address.
#[no_mangle]
pub extern "C" fn reserve(size: usize) -> *mut u8 {
    let mut state = STATE.0.borrow_mut();
    state.proving = None;
    if state.input.capacity() < size {
        state.input = Vec::with_capacity(size);
    }
    state.input.clear();
    state.input.resize(size, 0);
    state.input.as_mut_ptr()
}

/// Reads the input as a compact key. Returns the number of wires of a witness; 0 if the input is not a key.
#[no_mangle]
pub extern "C" fn load() -> usize {
    let mut state = STATE.0.borrow_mut();
    state.key = None;
    state.key = Key::read(&state.input);
    state.key.as_ref().map_or(0, |key| key.wires)
}

/// Returns the number of rows of each matrix; 0 if there is no key.
#[no_mangle]
pub extern "C" fn rows() -> usize {
    STATE.0.borrow().key.as_ref().map_or(0, |key| key.rows)
}

/// Begins a proof with the input: the wires, the rows of A and B, r and s. Returns 1, or 0 if it does not fit the key.
#[no_mangle]
pub extern "C" fn begin() -> u32 {
    let state = &mut *STATE.0.borrow_mut();
    state.proving = None;
    state.proving = state.key.as_ref().and_then(|key| Proving::begin(key, &state.input)).map(Box::new);
    state.proving.is_some() as u32
}

/// Runs the next step of the proof. Returns 1 if another step follows, 0 after the last one, 2 if no proof is possible.
#[no_mangle]
pub extern "C" fn advance() -> u32 {
    let state = &mut *STATE.0.borrow_mut();
    let (Some(key), Some(proving)) = (&state.key, &mut state.proving) else { return 2 };
    match proving.advance(key) {
        Some(Step::Done) => 0,
        Some(_) => 1,
        None => 2,
    }
}

/// Returns the address of the 256 bytes of the proof; null if there is no proof.
#[no_mangle]
pub extern "C" fn proof() -> *const u8 {
    STATE.0.borrow().proving.as_ref().map_or(null(), |proving| proving.proof().as_ptr())
}

/// Verifies the input: a verifying key, the public signal and a proof. Returns 1 if the proof verifies, 0 if it does not,
/// 2 if the input cannot be read.
#[no_mangle]
pub extern "C" fn verify() -> u32 {
    crate::verifier::verify(&STATE.0.borrow().input).map_or(2, u32::from)
}

/// Overwrites the proof, its input and all intermediate values with zeros, and frees them. Keeps the key.
#[no_mangle]
pub extern "C" fn wipe() {
    let mut state = STATE.0.borrow_mut();
    state.proving = None;
    state.input.fill(0);
    state.input.clear();
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}
