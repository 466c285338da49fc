import type { Change } from '../diff/change.ts'
import type { Contract, ContractWarning, Unresolved } from './contract.ts'

/** What is known of a contract and of the version that would be deployed. */
export interface DeployEvidence {
  readonly consumer: string
  readonly version: string
  /** Null where the consumer never declared what it uses. */
  readonly contract: Contract | null
  /** Where the contract test contradicts the specification that it was declared against. */
  readonly warnings: readonly ContractWarning[]
  /** What it uses that the version does not have. */
  readonly reasons: readonly Unresolved[]
  /** What it names without a known meaning. */
  readonly undecided: readonly Unresolved[]
  /** The changes to what it uses that are, or may be, breaking. */
  readonly changes: readonly Pick<Change, 'classification' | 'message'>[]
}

/** Whether a version can be deployed as far as one consumer goes. */
export interface DeployAnswer {
  readonly answer: 'yes' | 'no' | 'unknown'
  /** The part of the evidence that the answer rests on. */
  readonly reasons: readonly Unresolved[]
  readonly restsOnChanges: boolean
  /** For an unknown answer: the fact that is missing. */
  readonly missing: string | null
  readonly message: string
}

/**
 * Answers no where a loss or a breaking change is proven, otherwise unknown where a fact is missing, otherwise yes: a
 * change or an item that could not be decided, a contract test that contradicts the specification, a contract that names
 * nothing, or no contract at all never becomes a yes.
 */
export function deployAnswerOf(evidence: DeployEvidence): DeployAnswer {
  const { consumer, version, contract, warnings, reasons, undecided, changes } = evidence
  const unknown = (missing: string, more: Partial<DeployAnswer> = {}): DeployAnswer => ({
    answer: 'unknown',
    reasons: [],
    restsOnChanges: false,
    ...more,
    missing,
    message: `It cannot be said whether ${version} keeps what ${consumer} uses: ${missing}.`,
  })
  if (contract === null) return unknown(`a contract: ${consumer} never declared what it uses`)
  const proven = [...reasons, ...changes.filter((it) => it.classification !== 'unknown')]
  const [first, ...others] = proven
  if (first) {
    const rest = others.length > 0 ? ` (and ${others.length} more)` : ''
    const message = `${version} breaks ${consumer}: ${first.message}${rest}`
    return { answer: 'no', reasons, restsOnChanges: true, missing: null, message }
  }
  const [open] = changes
  if (open) return unknown(`a verdict on "${open.message}"`, { restsOnChanges: true })
  const [odd] = undecided
  if (odd) {
    const name = odd.interaction ?? odd.path ?? ''
    return unknown(`what the contract means by "${name}" (${odd.reason})`, { reasons: undecided })
  }
  const [contradiction] = warnings
  if (contradiction) {
    const { interaction, method, path, message } = contradiction
    return unknown(
      `which is correct, the contract or the specification; in "${interaction ?? path}" (${method} ${path}) the contract test contradicts it: ${message.replace(/\.$/, '')}`,
    )
  }
  if (contract.operations.length === 0) return unknown('a surface: nothing that the contract names was found')
  return {
    answer: 'yes',
    reasons: [],
    restsOnChanges: false,
    missing: null,
    message: `${version} keeps everything that ${consumer} uses.`,
  }
}
