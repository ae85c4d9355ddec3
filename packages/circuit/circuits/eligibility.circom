pragma circom 2.1.6;

include "circomlib/circuits/poseidon.circom";
include "circomlib/circuits/bitify.circom";
include "mask-member.circom";

// Eligibility: "the person whom this credential describes meets this rule set, for this wallet and this pass".
//
// The prover holds a credential: three attributes, a salt and a person, of which the chain knows one commitment. A rule
// set is up to 8 clauses, of which one must hold. The circuit shows that one does, and says neither which nor anything
// of the attributes.
//
// A rule set can limit the wallets of a person. Then it has at most 6 clauses, and the last two slots hold the scope of
// one of the person's places and the person's tag for it. The circuit shows that the tag is right. Two proofs of one
// person for one place have the same tag, and nobody without the person's secret can tell which tags are of one person.
//
// There is ONE public signal, contextHash. The program computes it from its own accounts, so that a proof can be
// used for nothing but the credential, clauses, day and pass that it was made for. Each public signal costs the
// on-chain verifier a scalar multiplication; one hash of eleven values costs it less.
//
// Every other signal is private. Some of them (the clause hashes, the pass, the day) the public can read on chain.
// They are inputs only so that they can be hashed, and the context hash is what ties them down.
//
// Four hashes. Poseidon's parameters depend on the number of inputs, so that of the context (eleven) and that of the
// credential (three) are never one of the others. Those of a clause and of a tag have two each, and no slot can be read
// as both: whether the last two slots hold a place or clauses is decided by `limited`, to which the program's day is
// bound in step 1.
template Eligibility(slots) {
    // Public ---------------------------------------------------------------------------------------------------------
    signal input contextHash;

    // Private: the credential's attributes ---------------------------------------------------------------------------
    signal input region;     // index into the list of regions, 0..252
    signal input status;     // index into the list of statuses, 0..31
    signal input birthDate;  // date code: (year - 1900) * 512 + month * 32 + day
    signal input salt;       // a random field element, so that a commitment cannot be guessed from its attributes
    signal input person;     // a secret field element, the same in all credentials that one person has from a verifier

    // Private: the rule set, and the opening of the one clause that holds --------------------------------------------
    signal input limited;              // 1: the rule set limits the wallets of a person; 0: it does not
    signal input clauseHashes[slots];  // unused slots hold the hash of the empty clause; if limited, the last two hold
                                       // the scope of a place and the person's tag for it
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
    //
    // The day of a limited rule set is 2^20 more, so that the prover cannot choose the mode: the other one moves asOf by
    // 2^20, far out of the 18 bits that step 6 allows. This holds only because limited is 0 or 1.
    limited * (1 - limited) === 0;
    signal attributes <== region + status * (1 << 8) + birthDate * (1 << 13) + (1 << 253);
    signal commitment <== Poseidon(3)([attributes, salt, person]);
    component context = Poseidon(slots + 3);
    for (var i = 0; i < slots; i++) {
        context.inputs[i] <== clauseHashes[i];
    }
    context.inputs[slots] <== commitment;
    context.inputs[slots + 1] <== asOf + limited * (1 << 20);
    context.inputs[slots + 2] <== passHash;
    contextHash === context.out;

    // 2. The opened clause is one of the rule set's -------------------------------------------------------------------
    // The product of the differences is 0 exactly when one of them is. A product does not show which. If the rule set is
    // limited, the last two slots are no clauses, so 1 takes the place of their differences.
    signal openedHash <== Poseidon(2)([regionMask, statusMask + minAge * (1 << 32)]);
    signal difference[slots];
    for (var i = 0; i < slots; i++) {
        if (i < slots - 2) {
            difference[i] <== clauseHashes[i] - openedHash;
        } else {
            difference[i] <== (1 - limited) * (clauseHashes[i] - openedHash - 1) + 1;
        }
    }
    signal product[slots];
    product[0] <== difference[0];
    for (var i = 1; i < slots; i++) {
        product[i] <== product[i - 1] * difference[i];
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
    // bits cannot hold. In the wrong mode it lies 2^20 higher or lower, which 18 bits cannot hold either. birthDate has a check of its own: without it, one beyond the field's order minus a few would
    // pass for any age.
    signal birthDateBits[17] <== Num2Bits(17)(birthDate);
    signal ageBits[18] <== Num2Bits(18)(asOf - birthDate - minAge * 512);

    // 7. The tag is the person's --------------------------------------------------------------------------------------
    // The commitment of step 1 binds the person, so it is the one whom the verifier recognised.
    signal tag <== Poseidon(2)([person, clauseHashes[slots - 2]]);
    limited * (clauseHashes[slots - 1] - tag) === 0;

    // The empty clause of the unused slots opens only as (0, 0, 0), and steps 4 and 5 then ask for a member of an empty
    // set: it can never be the clause that holds.
    //
    // Not checked here, because the program computes them and the context hash binds them: that asOf is a date, that
    // the expiry within passHash is within the rule set's maximum pass age, that the scope is of this rule set and of a
    // place that it has.
}

component main {public [contextHash]} = Eligibility(8);
