/** Configurations of other tools as parts of a `svc.yaml`. */
import type { Json, JsonObject } from '../../kernel/json.ts'

/** What a configuration of another tool becomes. */
export interface Converted {
  /** Settings for all APIs, as `svc.yaml` has them. */
  readonly settings: JsonObject
  /** APIs that it names. */
  readonly apis: Readonly<Record<string, JsonObject>>
  /** What was converted, in a few words each. */
  readonly done: readonly string[]
  /** What was not: the key and why. */
  readonly left: readonly string[]
  /** A ruleset that the guide of the settings names, to be written beside svc.yaml. */
  readonly ruleset?: { readonly file: string; readonly value: JsonObject }
}

/** What the converters know of svc. */
export interface Known {
  /** Whether there is a builtin lint rule of that id. */
  readonly hasRule: (id: string) => boolean
}

/** The text of a value where it is one. */
export const textAt = (value: JsonObject, key: string): string | null => {
  const found = value[key]
  return typeof found === 'string' && found.trim() !== '' ? found : null
}

/** The texts of a list, or a single text. */
export const textsOf = (value: Json | undefined): string[] =>
  (Array.isArray(value) ? (value as readonly Json[]) : [value]).filter((it) => typeof it === 'string')
