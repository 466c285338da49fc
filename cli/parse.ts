/** The strict reading of a command line: `node:util` makes the tokens, this decides what each of them may be. */
import { parseArgs } from 'node:util'
import { durationExample, formatDuration, parseDuration } from '../src/kernel/duration.ts'
import { suggest } from '../src/kernel/suggest.ts'
import { byLongName, isHidden, type Argument, type NumberOption, type Option, type Options } from './options.ts'
import { UsageError } from './usage-error.ts'

type Env = Readonly<Record<string, string | undefined>>
type Value = string | number | boolean

export interface Parsed {
  /** By option name; absent options are filled from variable and default by `settle`. */
  readonly values: ReadonlyMap<string, readonly Value[]>
  readonly positionals: readonly string[]
  /** How many of them are before `--`; left out where there is none. */
  readonly ahead?: number
}

const wordOf: Readonly<Record<NumberOption['type'], string>> = {
  integer: 'a whole number',
  number: 'a number',
  duration: durationExample,
}

const readNumber = (option: NumberOption, text: string, origin: string): number => {
  const value =
    option.type === 'duration'
      ? parseDuration(text)
      : /^[+-]?\d+$/.test(text) || (option.type === 'number' && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text))
        ? Number(text)
        : null
  if (value === null || !Number.isFinite(value) || (option.type === 'integer' && !Number.isSafeInteger(value))) {
    throw new UsageError(`${origin} must be ${wordOf[option.type]}, not "${text}"`)
  }
  const limit = (it: number): string => (option.type === 'duration' ? formatDuration(it) : String(it))
  if (option.min !== undefined && value < option.min) {
    throw new UsageError(`${origin} must be at least ${limit(option.min)}, not "${text}"`)
  }
  if (option.max !== undefined && value > option.max) {
    throw new UsageError(`${origin} must be at most ${limit(option.max)}, not "${text}"`)
  }
  return value
}

const meant = (given: string, known: Iterable<string>, sign = ''): string => {
  const near = suggest(given, known)
  return near === null ? '' : `; did you mean ${sign}${near}?`
}

const readValue = (option: Option, text: string, origin: string): Value => {
  if (option.type === 'boolean') {
    if (/^(1|true|yes|on)$/i.test(text)) return true
    if (/^(0|false|no|off|)$/i.test(text)) return false
    throw new UsageError(`${origin} must be true or false, not "${text}"`)
  }
  if (option.type !== 'string') return readNumber(option, text, origin)
  const meantBy = option.synonyms
  if (meantBy !== undefined && Object.hasOwn(meantBy, text)) return meantBy[text] ?? text
  const refusal = option.refusedChoices?.[text]
  if (refusal !== undefined) throw new UsageError(`${origin} ${text} is not supported: ${refusal}`)
  if (option.choices && !option.choices.includes(text)) {
    const near = meant(text, option.choices)
    throw new UsageError(`${origin} must be one of ${option.choices.join(', ')}, not "${text}"${near}`)
  }
  return text
}

const nodeOptions = (options: Options) => {
  const out: Record<string, { type: 'string' | 'boolean'; short?: string }> = {}
  for (const [name, [own, option]] of byLongName(options)) {
    const type = option.type === 'boolean' ? 'boolean' : 'string'
    out[name] = option.short === undefined || name !== own ? { type } : { type, short: option.short }
  }
  return out
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

const readOption = (options: Options, token: OptionToken): { name: string; value: Value } => {
  const known = byLongName(options)
  const negated = !known.has(token.name) && token.name.startsWith('no-')
  const [name, option] = known.get(negated ? token.name.slice(3) : token.name) ?? []
  if (name === undefined || option === undefined || (negated && option.type !== 'boolean')) {
    const shown = [...known].flatMap(([it, [, declared]]) => (isHidden(declared) ? [] : [it]))
    throw new UsageError(`Unknown option ${token.rawName}${meant(token.name, shown, '--')}`)
  }
  if (option.refused !== undefined) throw new UsageError(`--${name} is not supported: ${option.refused}`)
  if (option.type === 'boolean') {
    if (token.value !== undefined) throw new UsageError(`${token.rawName} does not take a value`)
    return { name, value: !negated }
  }
  const number = option.type !== 'string' && /^-[.\d]/.test(token.value ?? '')
  const dashed = token.inlineValue !== true && (token.value?.length ?? 0) > 1 && token.value?.startsWith('-') && !number
  if (token.value === undefined || dashed) {
    const choices = option.type === 'string' && option.choices !== undefined ? `: ${option.choices.join(', ')}` : ''
    const how = dashed
      ? ` ("${token.value}" looks like an option; write ${token.rawName}=${token.value} if that is the value)`
      : choices
    throw new UsageError(`${token.rawName} requires a value${how}`)
  }
  return { name, value: readValue(option, token.value, token.rawName) }
}

/**
 * Reads the arguments of a command.
 * @throws UsageError for an unknown option, a missing or invalid value, a repeated option that is not `multiple`.
 */
export const parse = (argv: readonly string[], options: Options): Parsed => {
  const { tokens } = parseArgs({
    args: [...argv],
    options: nodeOptions(options),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const values = new Map<string, Value[]>()
  const positionals: string[] = []
  let ahead: number | undefined
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind === 'option-terminator') ahead = positionals.length
    if (token.kind !== 'option') continue
    const { name, value } = readOption(options, token)
    const before = values.get(name)
    const option = options[name]
    const several = option !== undefined && option.type !== 'boolean' && option.multiple === true
    if (before && !several && before[0] !== value) {
      throw new UsageError(`${token.rawName} is given twice with different values`)
    }
    values.set(name, before && several ? [...before, value] : [value])
  }
  return { values, positionals, ...(ahead !== undefined && { ahead }) }
}

/**
 * The value of every declared option: command line, then variable, then default.
 * @throws UsageError for a bad value in a variable and for a required option that is absent.
 */
export const settle = (options: Options, parsed: Parsed, env: Env): Record<string, unknown> => {
  const out: Record<string, unknown> = {}
  for (const [name, option] of Object.entries(options)) {
    const several = option.type !== 'boolean' && option.multiple === true
    const given = parsed.values.get(name)
    const variable = option.env === undefined ? undefined : env[option.env]
    if (given) out[name] = several ? given : given[0]
    else if (variable !== undefined && variable !== '' && option.env !== undefined) {
      const value = readValue(option, variable, option.env)
      out[name] = several ? [value] : value
    } else if (option.default !== undefined) out[name] = several ? [option.default] : option.default
    else if (several) out[name] = []
    else if (option.type === 'boolean') out[name] = false
    else if (option.required === true) throw new UsageError(`Missing option --${name} (${option.summary})`)
    else out[name] = undefined
  }
  return out
}

/**
 * Assigns positionals to the declared arguments.
 * @throws UsageError for a missing, an unexpected or an invalid one.
 */
export const assign = (
  declared: readonly Argument[],
  positionals: readonly string[],
  ahead = positionals.length,
): Record<string, unknown> => {
  const out: Record<string, unknown> = {}
  const behind = declared.some((it) => it.afterDashes === true)
  let next = 0
  for (const argument of declared) {
    if (argument.afterDashes === true && next < ahead)
      throw new UsageError(`Unexpected argument "${positionals[next]}"`)
    const end = behind && argument.afterDashes !== true ? ahead : positionals.length
    const taken = positionals.slice(next, argument.variadic === true ? end : Math.min(next + 1, end))
    next += taken.length
    if (taken.length === 0 && argument.required === true) {
      throw new UsageError(`Missing argument ${argument.name.toUpperCase()} (${argument.summary})`)
    }
    for (const value of taken) {
      if (argument.choices && !argument.choices.includes(value)) {
        const near = meant(value, argument.choices)
        throw new UsageError(
          `${argument.name.toUpperCase()} must be one of ${argument.choices.join(', ')}, not "${value}"${near}`,
        )
      }
    }
    out[argument.name] = argument.variadic === true ? taken : taken[0]
  }
  if (next < positionals.length) throw new UsageError(`Unexpected argument "${positionals[next]}"`)
  return out
}
