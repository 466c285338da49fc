/** The strict reading of options and arguments: what is taken, and the words for what is not. */
import { expect, test } from 'bun:test'
import type { Argument, Options } from '../../cli/options.ts'
import { assign, parse, settle } from '../../cli/parse.ts'

const options: Options = {
  text: { type: 'string', placeholder: 'TEXT', short: 't', summary: 'a text' },
  letter: {
    type: 'string',
    placeholder: 'LETTER',
    choices: ['a', 'b'],
    refusedChoices: { c: 'it is gone.' },
    env: 'SVC_LETTER',
    summary: 'a letter',
  },
  many: { type: 'string', placeholder: 'TEXT', multiple: true, env: 'SVC_MANY', summary: 'texts' },
  whole: { type: 'integer', min: 1, max: 9, summary: 'a number' },
  free: { type: 'number', env: 'SVC_FREE', summary: 'a number' },
  count: { type: 'integer', summary: 'a number' },
  pause: { type: 'duration', min: 1000, max: 60_000, summary: 'a time' },
  flag: { type: 'boolean', env: 'SVC_FLAG', summary: 'a switch' },
  'no-cache': { type: 'boolean', summary: 'a switch of its own' },
  old: { type: 'string', placeholder: 'TEXT', refused: 'use --text.', summary: 'gone' },
  rules: { type: 'string', placeholder: 'NAME', alias: 'ruleset', short: 'r', summary: 'known by two names' },
  level: {
    type: 'string',
    placeholder: 'LEVEL',
    choices: ['warning', 'error'],
    synonyms: { warn: 'warning' },
    env: 'SVC_LEVEL',
    summary: 'known by other words',
  },
  brief: { type: 'boolean', alias: 'terse', summary: 'a switch with two names' },
  secret: { type: 'string', placeholder: 'TEXT', hidden: true, summary: 'hidden' },
}

const read = (line: string, env: Record<string, string> = {}): Record<string, unknown> | string => {
  try {
    const settled = settle(options, parse(line === '' ? [] : line.split(' '), options), env)
    return Object.fromEntries(
      Object.entries(settled).filter(
        ([, it]) => it !== undefined && it !== false && !(Array.isArray(it) && it.length === 0),
      ),
    )
  } catch (error) {
    return (error as Error).message
  }
}

test('numbers: signs, fractions where they are allowed, and bounds that are included', () => {
  expect([read('--whole 1'), read('--whole 9'), read('--whole +5')]).toEqual([{ whole: 1 }, { whole: 9 }, { whole: 5 }])
  expect([read('--whole 0'), read('--whole 10')]).toEqual([
    '--whole must be at least 1, not "0"',
    '--whole must be at most 9, not "10"',
  ])
  for (const text of ['1.5', '1e1', 'x', '0x1'])
    expect(read(`--whole ${text}`)).toBe(`--whole must be a whole number, not "${text}"`)
  expect([read('--free -1.5'), read('--free=.5'), read('--free 1e3'), read('--free 7')]).toEqual([
    { free: -1.5 },
    { free: 0.5 },
    { free: 1000 },
    { free: 7 },
  ])
  for (const text of ['x', '1e999', '.', '1.2.3'])
    expect(read(`--free ${text}`)).toBe(`--free must be a number, not "${text}"`)
  expect(read('--free 99999999999999999999')).toEqual({ free: 1e20 })
  expect(read('--count 99999999999999999999')).toBe('--count must be a whole number, not "99999999999999999999"')
  expect([read('--pause 1s'), read('--pause 1m')]).toEqual([{ pause: 1000 }, { pause: 60_000 }])
  expect(read('--pause 999ms')).toBe('--pause must be at least 1s, not "999ms"')
  expect(read('--pause 61s')).toBe('--pause must be at most 1m, not "61s"')
})

test('switches: on, off, from a variable, and the one whose own name begins with "no-"', () => {
  expect([read('--flag'), read('--no-flag'), read('--no-flag', { SVC_FLAG: '1' })]).toEqual([{ flag: true }, {}, {}])
  for (const on of ['1', 'true', 'YES', 'on']) expect(read('', { SVC_FLAG: on })).toEqual({ flag: true })
  for (const off of ['0', 'false', 'No', 'off', '']) expect(read('', { SVC_FLAG: off })).toEqual({})
  expect(read('', { SVC_FLAG: 'maybe' })).toBe('SVC_FLAG must be true or false, not "maybe"')
  expect(read('--no-cache')).toEqual({ 'no-cache': true })
  expect(read('--flag value')).toEqual({ flag: true })
  expect(read('--flag=x')).toBe('--flag does not take a value')
  expect(read('--no-text')).toStartWith('Unknown option --no-text')
  expect(read('--flag --flag')).toEqual({ flag: true })
})

test('texts: choices, those that are no longer supported, and values that look like options', () => {
  expect(read('--letter a')).toEqual({ letter: 'a' })
  expect(read('', { SVC_LETTER: 'b' })).toEqual({ letter: 'b' })
  expect(read('--letter c')).toBe('--letter c is not supported: it is gone.')
  expect(read('--letter d')).toStartWith('--letter must be one of a, b, not "d"')
  expect(read('--old x')).toBe('--old is not supported: use --text.')
  expect(read('-t x')).toEqual({ text: 'x' })
  expect(read('--text -')).toEqual({ text: '-' })
  expect(read('--text=-x')).toEqual({ text: '-x' })
  expect(read('--text -x')).toContain('looks like an option')
  expect(read('--text -5')).toContain('looks like an option')
  expect(read('--whole -x')).toContain('looks like an option')
  expect(read('--text')).toBe('--text requires a value')
  expect(read('--letter')).toBe('--letter requires a value: a, b')
})

test('unknown options name the nearest one, never one that is hidden or gone', () => {
  expect(read('--txt')).toBe('Unknown option --txt; did you mean --text?')
  expect(read('--secre')).toBe('Unknown option --secre')
  expect(read('--olf')).toBe('Unknown option --olf')
  expect(read('--secret x')).toEqual({ secret: 'x' })
})

test('repeated options: the same value again, another one, and those that take several', () => {
  expect(read('--text a --text a')).toEqual({ text: 'a' })
  expect(read('--text a --text b')).toBe('--text is given twice with different values')
  expect(read('--many a --many b')).toEqual({ many: ['a', 'b'] })
  expect(read('', { SVC_MANY: 'c' })).toEqual({ many: ['c'] })
})

test('what is absent: a default, a required option, a variable that is empty', () => {
  const of = (more: Options[string], env: Record<string, string> = {}) => {
    try {
      return settle({ it: more }, parse([], {}), env)['it']
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(of({ type: 'string', placeholder: 'X', default: 'd', env: 'IT', summary: 's' }, { IT: '' })).toBe('d')
  expect(of({ type: 'string', placeholder: 'X', default: 'd', multiple: true, summary: 's' })).toEqual(['d'])
  expect(of({ type: 'string', placeholder: 'X', multiple: true, summary: 's' })).toEqual([])
  expect(of({ type: 'boolean', summary: 's' })).toBe(false)
  expect(of({ type: 'string', placeholder: 'X', summary: 's' })).toBeUndefined()
  expect(of({ type: 'string', placeholder: 'X', required: true, summary: 'the text' })).toBe(
    'Missing option --it (the text)',
  )
})

test('arguments: required, variadic, of a choice, and too many', () => {
  const declared: Argument[] = [
    { name: 'kind', required: true, choices: ['one', 'two'], summary: 'the kind' },
    { name: 'rest', variadic: true, summary: 'all others' },
  ]
  const given = (...positionals: string[]) => {
    try {
      return assign(declared, positionals)
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(given('one')).toEqual({ kind: 'one', rest: [] })
  expect(given('two', 'a', 'b')).toEqual({ kind: 'two', rest: ['a', 'b'] })
  expect(given()).toBe('Missing argument KIND (the kind)')
  expect(given('tow')).toBe('KIND must be one of one, two, not "tow"; did you mean two?')
  expect(() => assign([{ name: 'only', summary: 'x' }], ['a', 'b'])).toThrow('Unexpected argument "b"')
  expect(assign([{ name: 'only', summary: 'x' }], [])).toEqual({ only: undefined })
})

test('an option has the same value by each of its names, and a choice by each of its words', () => {
  expect(['--rules x', '--ruleset x', '--ruleset=x', '-r x', '-rx'].map((line) => read(line))).toEqual(
    Array.from({ length: 5 }, () => ({ rules: 'x' })),
  )
  expect(read('--rules x --ruleset y')).toBe('--ruleset is given twice with different values')
  expect(read('--ruleset')).toBe('--ruleset requires a value')
  expect(read('--rulesets x')).toBe('Unknown option --rulesets; did you mean --ruleset?')
  expect([read('--terse'), read('--terse --no-terse')]).toEqual([
    { brief: true },
    '--no-terse is given twice with different values',
  ])
  expect(read('--level warn')).toEqual({ level: 'warning' })
  expect(read('', { SVC_LEVEL: 'warn' })).toEqual({ level: 'warning' })
  expect(read('--level warm')).toBe('--level must be one of warning, error, not "warm"')
  expect(read('--level toString')).toStartWith('--level must be one of warning, error, not "toString"')
})

test('what is after "--" belongs to the argument that is declared for it, and to no other', () => {
  const declared: readonly Argument[] = [
    { name: 'name', required: true, summary: 'a name' },
    { name: 'command', variadic: true, afterDashes: true, summary: 'a command' },
  ]
  const assigned = (line: string): unknown => {
    try {
      const { positionals, ahead } = parse(line === '' ? [] : line.split(' '), options)
      return assign(declared, positionals, ahead)
    } catch (error) {
      return (error as Error).message
    }
  }
  expect([assigned('one'), assigned('one --'), assigned('one -- run'), assigned('one -- run --text x')]).toEqual([
    { name: 'one', command: [] },
    { name: 'one', command: [] },
    { name: 'one', command: ['run'] },
    { name: 'one', command: ['run', '--text', 'x'] },
  ])
  expect([assigned('one two'), assigned('one two -- run'), assigned('-- run'), assigned('')]).toEqual([
    'Unexpected argument "two"',
    'Unexpected argument "two"',
    'Missing argument NAME (a name)',
    'Missing argument NAME (a name)',
  ])
  expect(Object.keys(parse(['one'], options))).toEqual(['values', 'positionals'])
  // Without such an argument "--" only ends the options.
  const list: readonly Argument[] = [{ name: 'files', variadic: true, summary: 'files' }]
  const { positionals, ahead } = parse(['a', '--', '--b'], options)
  expect(assign(list, positionals, ahead)).toEqual({ files: ['a', '--b'] })
})
