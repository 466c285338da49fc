import { plural } from '../kernel/plural.ts'

/** Exit codes of the command line; src/errors/exit-codes.ts says what each means. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 10 | 11 | 12 | 13 | 70 | 130 | 143

/** One code of the catalogue. `D` is the context that an error of the code carries. */
export interface Entry<D extends object = object> {
  readonly status: number
  readonly exit: ExitCode
  /**
   * What is wrong and where, in one sentence. `{name}` is the string of the context, `{name:number}` a number, `{name:seconds}` a number
   * of seconds, `{name:list}` strings with commas between, `{name:lines}` strings each on a line of its own. A part in `[…]` is left
   * out where one of its values is empty or null.
   */
  readonly message: string
  /** What to do next on the command line; `apiHintOf` has the same for callers of the HTTP API. */
  readonly hint: string
  /** The same for people in a browser, where `hint` names a command, an option or a header. */
  readonly browserHint?: string
  /** Never set: it pins the type of the context. */
  readonly context?: D
}

type FieldOf<P extends string, Nothing> = P extends `${infer N}:${'number' | 'seconds'}`
  ? { readonly [K in N]: number | Nothing }
  : P extends `${infer N}:${'list' | 'lines'}`
    ? { readonly [K in N]: readonly string[] | Nothing }
    : { readonly [K in P]: string | Nothing }

type Fields<T extends string> = T extends `${string}{${infer P}}${infer Rest}`
  ? FieldOf<P, never> & Fields<Rest>
  : unknown

type OptionalFields<T extends string> = T extends `${string}{${infer P}}${infer Rest}`
  ? Partial<FieldOf<P, null>> & OptionalFields<Rest>
  : unknown

/** The context that the placeholders of a message need. */
export type ContextOf<M extends string> = M extends `${infer Before}[${infer Part}]${infer After}`
  ? Fields<Before> & OptionalFields<Part> & ContextOf<After>
  : Fields<M>

type Flat<T> = { [K in keyof T]: T[K] }

/**
 * One entry of the catalogue; the placeholders of its message are the type of its context.
 * @param item `context` declares fields that the context has besides those of the message: `context: {} as { rules: readonly string[] }`
 */
export const entry = <const M extends string, X extends object = object>(item: {
  readonly status: number
  readonly exit: ExitCode
  readonly message: M
  readonly hint: string
  readonly browserHint?: string
  readonly context?: X
}): Entry<Flat<ContextOf<M> & X>> => item as Entry<Flat<ContextOf<M> & X>>

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

/**
 * A message with the values of a context in place of its placeholders.
 * Takes whatever a service of another version sent: a value that is missing shows as the name of its placeholder.
 */
export const fillMessage = (template: string, context: object): string => {
  const values = context as Readonly<Record<string, unknown>>
  const value = (name: string): unknown => (Object.hasOwn(values, name) ? values[name] : undefined)
  const fill = (text: string): string =>
    text.replaceAll(/\{(\w+)(?::(\w+))?\}(\.?)/g, (_, name: string, kind: string | undefined, stop: string) => {
      const it = value(name)
      // The sentence of a library may have its own full stop.
      const ended = (said: string): string => (/[^.]\.$/.test(said) ? said : said + stop)
      if (Array.isArray(it)) return ended(it.join(kind === 'lines' ? '\n  ' : ', '))
      if (kind === 'seconds' && typeof it === 'number') return plural(it, 'second') + stop
      return ended(isEmpty(it) && it !== '' ? `{${name}}` : String(it))
    })
  // Optional parts go first: a value may hold brackets of its own.
  const chosen = template.replaceAll(/\[([^\]]*)\]/g, (_, part: string) =>
    [...part.matchAll(/\{(\w+)/g)].some(([, name]) => isEmpty(value(name ?? ''))) ? '' : part,
  )
  return fill(chosen)
}

/** A message as documents show it: each placeholder as its name, optional parts included. */
export const messageForDocs = (template: string): string =>
  template
    .replaceAll(/\{(\w+):seconds\}/g, '{$1} seconds')
    .replaceAll(/\{(\w+):\w+\}/g, '{$1}')
    .replaceAll(/[[\]]/g, '')

/** A message without values, as a person reads it: "There is no project "…" in this organization."; "" if it has no text of its own. */
export function messageForPeople(template: string): string {
  const text = template
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\{\w+:seconds\}/g, '… seconds')
    .replaceAll(/\{\w+(?::\w+)?\}/g, '…')
    .replace(/(?:: )?…\.?$/, (end) => (end.startsWith(':') ? ': …' : '…'))
  return /\w/.test(text) ? text : ''
}
