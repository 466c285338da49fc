/** Why something that a consumer says it uses could not be found. Stable: clients branch on it. */
export const reasonCodes = [
  'operation-not-found',
  'operation-retired',
  'method-not-found',
  'ambiguous-path',
  'status-not-declared',
  'field-not-found',
  'field-removed',
  'parameter-not-found',
  'body-schema-missing',
  'body-not-json',
  'unsupported-interaction',
] as const
export type ReasonCode = (typeof reasonCodes)[number]

export const locations = ['request', 'response', 'parameter'] as const
export type Location = (typeof locations)[number]

/** Something that a consumer uses and a specification does not have. */
export interface Unresolved {
  readonly reason: ReasonCode
  /** What the contract test calls it; null where a person declared it. */
  readonly interaction: string | null
  readonly method: string | null
  readonly path: string | null
  readonly status: string | null
  readonly location: Location | null
  /** The data path or the name of the parameter. */
  readonly field: string | null
  readonly message: string
}

/** Something odd that does not keep a part of a contract from being resolved. */
export interface ContractWarning {
  /** `parameter-type`: the value of a parameter, `value-mismatch`: a value of a body or of a response header contradicts its schema. */
  readonly code: 'parameter-type' | 'value-mismatch'
  readonly interaction: string | null
  readonly method: string
  readonly path: string
  /** Where the value is; absent in revisions of before 0.2. */
  readonly location?: Location
  readonly status?: string | null
  readonly field: string
  readonly message: string
}

/** A field by its data path, and where the specification declares it: JSON Pointers (RFC 6901), one for each branch. */
export interface UsedField {
  readonly field: string
  readonly pointers: readonly string[]
}

export interface UsedAnswer {
  /** The status that the consumer meets: "200", "2XX", "default". */
  readonly status: string
  /** The key under which the specification declares it. */
  readonly declared: string
  readonly pointer: string
  readonly fields: readonly UsedField[]
}

export interface UsedParameter {
  readonly name: string
  readonly in: string
  readonly pointer: string
}

/** What a consumer uses of one operation. */
export interface UsedOperation {
  readonly method: string
  /** The path template of the specification that it was resolved against. */
  readonly path: string
  readonly pointer: string
  /** Whether it sends a body; its fields may still be none. */
  readonly body: boolean
  readonly request: readonly UsedField[]
  readonly responses: readonly UsedAnswer[]
  readonly parameters: readonly UsedParameter[]
}

/** What a consumer uses of an API. */
export interface Contract {
  readonly operations: readonly UsedOperation[]
}

/** A contract as resolved, with what could not be. */
export interface Resolution {
  readonly contract: Contract
  readonly unresolved: readonly Unresolved[]
  readonly warnings: readonly ContractWarning[]
}

/** How much a contract names. */
export const sizeOf = ({ operations }: Contract): { operations: number; fields: number; parameters: number } => ({
  operations: operations.length,
  fields: operations.reduce(
    (sum, it) => sum + it.request.length + it.responses.reduce((n, answer) => n + answer.fields.length, 0),
    0,
  ),
  parameters: operations.reduce((sum, it) => sum + it.parameters.length, 0),
})
