/** What a command declares of its options and arguments, and the types of their values. */

interface OptionBase {
  readonly summary: string
  /** One letter: `-o`. */
  readonly short?: string
  /** Another name for the same option, by which users of other tools know it. */
  readonly alias?: string
  /** The name that it had before: it still works, and is in no help or completion. */
  readonly former?: string
  /** The environment variable that gives the value where the option is absent. */
  readonly env?: string
  /** Left out of help and completions. */
  readonly hidden?: boolean
  /** The option is known but not supported: using it is an error with this sentence. Implies `hidden`. */
  readonly refused?: string
}

/** `--wait` and `--no-wait`. Without a default it is false; with `default: null` an absent option is null. */
export interface BooleanOption extends OptionBase {
  readonly type: 'boolean'
  readonly default?: boolean | null
}

export interface StringOption extends OptionBase {
  readonly type: 'string'
  readonly placeholder: string
  readonly choices?: readonly string[]
  /** Other words for some of the choices, each with the choice that it means. */
  readonly synonyms?: Readonly<Record<string, string>>
  /** Values that are known but not supported, each with what to do instead. */
  readonly refusedChoices?: Readonly<Record<string, string>>
  /** The choice `json` of `format` is a syntax of what the command writes, not its envelope. */
  readonly ofDocument?: boolean
  readonly default?: string
  readonly multiple?: boolean
  readonly required?: boolean
}

/** `duration` is written 500ms, 30s, 5m or 1h, a bare number being seconds; its value, `min`, `max` and `default` are milliseconds. */
export interface NumberOption extends OptionBase {
  readonly type: 'integer' | 'number' | 'duration'
  readonly placeholder?: string
  readonly default?: number
  readonly min?: number
  readonly max?: number
  readonly multiple?: boolean
  readonly required?: boolean
}

export type Option = BooleanOption | StringOption | NumberOption
export type Options = Readonly<Record<string, Option>>

export interface Argument {
  readonly name: string
  readonly summary: string
  readonly required?: boolean
  /** Takes all that remain; only the last argument can. */
  readonly variadic?: boolean
  /** Takes what is behind `--`, and nothing before: the words of another command. It is the last argument. */
  readonly afterDashes?: boolean
  readonly choices?: readonly string[]
  /** What completion offers where other values are possible too. */
  readonly suggestions?: readonly string[]
  /** Completion offers the names of the APIs of svc.yaml as well. */
  readonly namesApis?: boolean
}

type Single<O> = O extends { readonly type: 'boolean' }
  ? boolean
  : O extends { readonly type: 'string' }
    ? O extends { readonly choices: readonly (infer C)[] }
      ? C
      : string
    : number

type OptionValue<O> = O extends { readonly multiple: true }
  ? readonly Single<O>[]
  : O extends { readonly type: 'boolean' }
    ? O extends { readonly default: null }
      ? boolean | null
      : boolean
    : O extends { readonly default: string | number } | { readonly required: true }
      ? Single<O>
      : Single<O> | undefined

type ArgumentValue<A> = A extends { readonly variadic: true }
  ? readonly string[]
  : A extends { readonly required: true }
    ? string
    : string | undefined

export type OptionValues<O extends Options> = { readonly [K in keyof O]: OptionValue<O[K]> }
export type ArgumentValues<A extends readonly Argument[]> = {
  readonly [K in A[number] as K['name']]: ArgumentValue<K>
}

/** The options by each of their long names: their own, and those that users of other tools know. */
export const byLongName = (options: Options): ReadonlyMap<string, readonly [name: string, option: Option]> =>
  new Map(
    Object.entries(options).flatMap(([name, option]) =>
      [name, option.alias, option.former]
        .filter((it) => it !== undefined)
        .map((it) => [it, [name, option] as const] as const),
    ),
  )

/** Whether an option is left out of help and completions. */
export const isHidden = (option: Option): boolean => option.hidden === true || option.refused !== undefined

/** The values of options of which none is given. */
export const defaultsOf = <O extends Options>(declared: O): OptionValues<O> =>
  Object.fromEntries(
    Object.entries(declared).map(([name, it]) => {
      if (it.type === 'boolean') return [name, it.default ?? (it.default === null ? null : false)]
      return [name, it.multiple === true ? [] : it.default]
    }),
  ) as OptionValues<O>
