/** Who has which power over a mint. */
import type { RuleSet } from '@service/contract';
import type { Address } from '@solana/kit';

/**
 * A role of a mint. `mint` issues, `freeze` freezes and thaws, `permanentDelegate` moves and burns tokens of every holder,
 * `pause` pauses the mint, `hook` replaces the transfer hook. The others belong to extensions of Token-2022.
 */
export type MintRole =
  | 'mint'
  | 'freeze'
  | 'permanentDelegate'
  | 'pause'
  | 'hook'
  | 'transferFee'
  | 'withheldFees'
  | 'close'
  | 'confidentialTransfers'
  | 'confidentialFees'
  | 'interestRate'
  | 'scaledAmount'
  | 'metadataPointer'
  | 'metadata'
  | 'groupPointer'
  | 'group'
  | 'memberPointer'
  | 'permissionedBurn';

/** A rule set, as far as it gives powers (SPEC.md section 2). */
export interface RuleSetPowers extends Pick<RuleSet, 'address' | 'name' | 'creator'> {
  /** What the creator may do with passes: `suspend`, `grant`. */
  readonly powers: NonNullable<RuleSet['powers']>;
  /** The only Verifier account whose credentials open passes; null if any active verifier will do. */
  readonly verifier: Address | null;
  /** How many wallets of one person can prove it; 0 if any number can. */
  readonly walletsPerPerson: number;
}

/** The fee that Token-2022 takes from each transfer. */
export interface TransferFee {
  /** Hundredths of a percent of the amount. */
  readonly basisPoints: number;
  /** The highest fee of a transfer, in base units. */
  readonly maximum: bigint;
}

/** The binding of a mint (SPEC.md section 2). */
export interface BindingPowers {
  /** Base58 address of the MintBinding account. */
  readonly address: Address;
  /** The wallet that can issue tokens. */
  readonly issuer: Address;
  /** Whether the issuer created the rule set. If not, ask the creator whether the mint is genuine. */
  readonly issuerIsCreator: boolean;
  /** The wallet that can accept to become the issuer; null if there is none. */
  readonly nominee: Address | null;
  /** Whether the sender of a transfer needs a live pass too. */
  readonly requireSource: boolean;
  /** Whether passes that the creator of the rule set granted count. */
  readonly honoursGranted: boolean;
  /** Whether a pass counts only while the credential that proved it is neither revoked nor replaced. */
  readonly readsCredential: boolean;
  /** The rule set that transfers require now. */
  readonly ruleSet: RuleSetPowers;
  /** The rule set that the issuer announced, and the Unix seconds from which anyone can apply it; null without one. */
  readonly next: {
    /** The announced rule set. */
    readonly ruleSet: RuleSetPowers;
    /** Unix seconds. */
    readonly from: bigint;
  } | null;
}

/** The gate of a mint at Token ACL, which holds its freeze authority. */
export interface GatePowers {
  /** Can thaw and freeze without the gate, name another gate, and end the gate. */
  readonly authority: Address;
  /** The program that Token ACL asks. */
  readonly gate: Address;
  /** Whether anyone can thaw what the gate allows. */
  readonly canThaw: boolean;
  /** Whether anyone can freeze what the gate allows. */
  readonly canFreeze: boolean;
  /** Whether passes that the creator of the rule set granted count. */
  readonly honoursGranted: boolean;
  /** The rule set whose passes the program asks for; null if another program is the gate, or no rule set was set. */
  readonly ruleSet: RuleSetPowers | null;
}

/** Who can change the rules of the program itself. */
export interface ProtocolPowers {
  /** Can register and deactivate verifiers, set circuits, end all passes and pause the protocol. */
  readonly governance: Address;
  /** Can become governance at any time; null if there is none. */
  readonly nominee: Address | null;
  /** May pause the protocol; null if there is none. */
  readonly guardian: Address | null;
  /** Whether governance or the guardian paused the protocol. */
  readonly isPaused: boolean;
  /** Can replace the program; null if nobody can, undefined if the SDK cannot read who can. */
  readonly upgradeAuthority: Address | null | undefined;
}

/** One power, for people to read. */
export interface PowerSentence {
  /** `tokens`: what can happen to tokens of holders. `rules`: who decides who can hold them. `protocol`: who can change the program. */
  readonly topic: 'tokens' | 'rules' | 'protocol';
  /** One to three sentences of plain text. The name of a rule set in it was chosen by its creator. */
  readonly text: string;
}

/** Every power over a mint that the chain shows at finalized commitment. */
export interface MintPowers {
  /** Base58 address of the Token-2022 mint. */
  readonly mint: Address;
  /** Who has each role of the mint. null: nobody, and nobody can get it. A role is absent if the mint lacks the extension. */
  readonly roles: Readonly<Partial<Record<MintRole, Address | null>>>;
  /** The program that Token-2022 asks in each transfer; null without one. */
  readonly transferHook: Address | null;
  /** Whether its pause authority paused the mint. */
  readonly isPaused: boolean;
  /** Whether new token accounts are frozen. */
  readonly startsFrozen: boolean;
  /** false: tokens can only be burned. */
  readonly isTransferable: boolean;
  /** The fee of each transfer now, and the one that was set for a later epoch, if any; null if the mint lacks the extension. */
  readonly transferFee: {
    /** The fee now. */
    readonly current: TransferFee;
    /** The fee that replaces it; null without one. */
    readonly next:
      | (TransferFee & {
          /** The first epoch with this fee. */
          readonly fromEpoch: bigint;
        })
      | null;
  } | null;
  /** ElGamal key, in base64, that decrypts the amounts of all encrypted transfers; null without one. */
  readonly auditor: string | null;
  /** Whether only the holder of a key can read how many tokens exist. */
  readonly isSupplyEncrypted: boolean;
  /** Types of the extensions that this SDK does not know. They can give powers that are not listed. */
  readonly unknownExtensions: readonly number[];
  /** null if the mint is not bound to a rule set. */
  readonly binding: BindingPowers | null;
  /** null if the mint is not a mint of Token ACL. */
  readonly gate: GatePowers | null;
  /** Who can replace the program Token ACL: as `upgradeAuthority` of `protocol`. null unless it has the freeze authority. */
  readonly tokenAcl: Pick<ProtocolPowers, 'upgradeAuthority'> | null;
  /** null if the program is not set up on this cluster. */
  readonly protocol: ProtocolPowers | null;
  /** All of this in plain English, the most important first. */
  readonly sentences: readonly PowerSentence[];
}
