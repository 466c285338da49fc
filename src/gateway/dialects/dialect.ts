/** What the compiler knows of one flavour of SecLang. */
import type { Rate } from '../../gateway-policy/door.ts'
import type { ReleaseFile } from '../release/file.ts'

/** What a proxy needs to limit rates. */
export interface RateLimit {
  readonly files: readonly ReleaseFile[]
  /** How to use them, or why there are none, in one sentence. */
  readonly use: string
}

/** A flavour of SecLang. Several engines may read the same one. */
export interface Dialect<N extends string = string> {
  /** The name in API, database and commands, where it is called the engine of a release. It never changes. */
  readonly name: N
  readonly title: string
  /** The programs that read it, as the API describes the name. */
  readonly programs: string
  /** Whether expressions see the bytes of UTF-8 (PCRE as ModSecurity calls it); those of the others see characters (RE2). */
  readonly comparesBytes: boolean
  /** Whether the members of collections can have any name. The others take letters, digits and a few marks, and no member of an array. */
  readonly namesAnyMember: boolean
  /** Whether a marker that nothing jumps to costs less than jumping over it. */
  readonly passesMarkers: boolean
  /** Whether `SecRequestBodyNoFilesLimit` is known. */
  readonly limitsBodiesWithoutFiles: boolean
  /** The OWASP Core Rule Set that usually comes with it. Version 3 has no tags for groups. */
  readonly ruleSet: { readonly folder: string; readonly version: 3 | 4 }
  /** Whether it says how long a JSON body is (`TX:json_request_body`). */
  readonly seesEmptyBodies: boolean
  /** Why bodies are not checked against schemas; null: they are. */
  readonly noSchemas: string | null
  /** Why the managed rules may find less than they should; null: nothing is known. */
  readonly doubt: string | null
  /** What the proxy can do where requests are to be counted, which no engine does. */
  readonly rateLimit: (rate: Rate) => RateLimit
  /** Files beside the usual ones. @param parts the texts of the usual ones in their order; the last follows the rule set */
  readonly moreFiles: (parts: readonly string[], ruleSet: string) => readonly ReleaseFile[]
  /** How a compiled folder is used. */
  readonly nextStep: (folder: string) => string
  /** Why no program on this machine is asked whether it loads a folder; null: one is. */
  readonly notAsked: string | null
}

/** Declares a dialect; it is known once it is in the list of `index.ts`. */
export const defineDialect = <const N extends string>(dialect: Dialect<N>): Dialect<N> => dialect

/** The header whose values a limit counts apart; null: it counts something else. */
export const headerOf = ({ key }: Rate): string | null => /^header:([A-Za-z0-9-]{1,64})$/.exec(key)?.[1] ?? null

export const cannotLimit: RateLimit = { files: [], use: 'The proxy cannot express this limit.' }
