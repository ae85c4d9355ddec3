pragma circom 2.1.6;

include "circomlib/circuits/poseidon.circom";
include "circomlib/circuits/bitify.circom";
include "mask-member.circom";

// Eligibility: "the person whom this credential describes meets this rule set, for this wallet and this pass".
//
// The prover holds a credential: four attributes, of which the chain knows one commitment. A rule set is up to 8
// clauses, of which one must hold. The circuit shows that one does, and says neither which nor anything of the
// attributes.
//
// There is ONE public signal, contextHash. The program computes it from its own accounts, so that a proof can be
// used for nothing but the credential, clauses, day and pass that it was made for. Each public signal costs the
// on-chain verifier a scalar multiplication; one hash of eleven values costs it less.
//
// Every other signal is private. Some of them (the clause hashes, the pass, the day) the public can read on chain.
// They are inputs only so that they can be hashed, and the context hash is what ties them down.
//
// Three hashes. That of the context has eleven inputs; Poseidon's parameters depend on the number of inputs, so it is
// never one of the others. Those of the credential and of a clause have two each, and are kept apart by the first:
// that of a clause is a mask below 2^253, that of a credential is 2^253 or more.
template Eligibility(slots) {
    // Public ---------------------------------------------------------------------------------------------------------
    signal input contextHash;

    // Private: the credential's attributes ---------------------------------------------------------------------------
    signal input region;     // index into the list of regions, 0..252
    signal input status;     // index into the list of statuses, 0..31
    signal input birthDate;  // date code: (year - 1900) * 512 + month * 32 + day
    signal input salt;       // a random field element, so that a commitment cannot be guessed from its attributes

    // Private: the rule set, and the opening of the one clause that holds --------------------------------------------
    signal input clauseHashes[slots];  // unused slots hold the hash of the empty clause
    signal input regionMask;           // bit i: region i is accepted
    signal input statusMask;           // bit i: status i is accepted
    signal input minAge;               // whole years

    // Private: what the proof is for ---------------------------------------------------------------------------------
    signal input asOf;      // date code of the day on which age is counted
    signal input passHash;  // the program's hash over rule set, wallet and expiry; opaque here

    // 1. The context ------------------------------------------------------------------------------------------------
    // The attributes below are those that the verifier signed, the clauses are those of the rule set, and the day and
    // the pass are the program's: or else the context hash differs and the program refuses the proof.
    //
    // The three attributes share one input of the commitment. They are held to 8, 5 and 17 bits below, so no two
    // people give the same sum.
    signal attributes <== region + status * (1 << 8) + birthDate * (1 << 13) + (1 << 253);
    signal commitment <== Poseidon(2)([attributes, salt]);
    component context = Poseidon(slots + 3);
    for (var i = 0; i < slots; i++) {
        context.inputs[i] <== clauseHashes[i];
    }
    context.inputs[slots] <== commitment;
    context.inputs[slots + 1] <== asOf;
    context.inputs[slots + 2] <== passHash;
    contextHash === context.out;

    // 2. The opened clause is one of the rule set's -------------------------------------------------------------------
    // The product of the differences is 0 exactly when one of them is. A product does not show which.
    signal openedHash <== Poseidon(2)([regionMask, statusMask + minAge * (1 << 32)]);
    signal product[slots];
    product[0] <== clauseHashes[0] - openedHash;
    for (var i = 1; i < slots; i++) {
        product[i] <== product[i - 1] * (clauseHashes[i] - openedHash);
    }
    product[slots - 1] === 0;

    // 3. The opening is the only one ----------------------------------------------------------------------------------
    // statusMask and minAge share one element of the clause hash. Were they free field elements, the prover could split
    // that element again to his liking: an all-ones mask with whatever minAge makes the sum come out, or an age limit
    // moved up into the mask. With 32 bits for the one (MaskMember, step 5) and 8 for the other, no two pairs give the
    // same sum. regionMask is held to 253 bits in step 4.
    signal minAgeBits[8] <== Num2Bits(8)(minAge);

    // 4. The region is one of the clause's ----------------------------------------------------------------------------
    // 8 bits of region name one place of the mask; 253, 254 and 255 are always outside it.
    signal regionBits[8] <== Num2Bits(8)(region);
    MaskMember(253, 8, 4)(regionMask, regionBits);

    // 5. The status is one of the clause's ----------------------------------------------------------------------------
    signal statusBits[5] <== Num2Bits(5)(status);
    MaskMember(32, 5, 2)(statusMask, statusBits);

    // 6. The age is reached -------------------------------------------------------------------------------------------
    // A date code grows with the calendar and a year is 512 of it, so "minAge years after birth, or later" is one
    // subtraction that is not negative. Someone born on 29 February comes of age on 1 March in a common year: that is
    // the first day whose code is not below.
    //
    // asOf (the program's), birthDate and 512 * minAge are each below 2^17, so the difference lies between -2^18 and
    // 2^17: 18 bits hold all that are not negative, and a negative one is a number near the field's order, which 18
    // bits cannot hold. birthDate has a check of its own: without it, one beyond the field's order minus a few would
    // pass for any age.
    signal birthDateBits[17] <== Num2Bits(17)(birthDate);
    signal ageBits[18] <== Num2Bits(18)(asOf - birthDate - minAge * 512);

    // The empty clause of the unused slots opens only as (0, 0, 0), and steps 4 and 5 then ask for a member of an empty
    // set: it can never be the clause that holds.
    //
    // Not checked here, because the program computes them and the context hash binds them: that asOf is a date, that
    // the expiry within passHash is within the rule set's maximum pass age.
}

component main {public [contextHash]} = Eligibility(8);
