import { expect, test } from 'bun:test'
import { command } from '../../cli/declare.ts'
import { combineExitCodes } from '../../cli/combine-exit-codes.ts'
import { SvcError } from '../../src/errors.ts'
import { registryOf, runCommand } from '../fixtures/run-command.ts'

const show = command({
  summary: 'Show what was given',
  examples: ['svc thing show a'],
  arguments: [
    { name: 'first', required: true, summary: 'the first' },
    { name: 'more', variadic: true, summary: 'all others' },
  ],
  options: {
    'min-grade': { type: 'string', placeholder: 'A-F', choices: ['A', 'B', 'C', 'D', 'F'], summary: 'lowest grade' },
    tag: { type: 'string', placeholder: 'TAG', multiple: true, short: 't', summary: 'a tag' },
    wait: { type: 'boolean', default: true, summary: 'wait for the end' },
    'import-timeout': { type: 'duration', default: 5000, env: 'SVC_IMPORT_TIMEOUT', summary: 'longest wait' },
    limit: { type: 'integer', min: 1, max: 200, summary: 'at most so many' },
    version: { type: 'string', placeholder: 'TEXT', summary: 'label' },
  },
  run: async ({ args, options, globals, given }) => ({
    data: { args, options, globals, given: [...given] },
    text: 'shown\n',
  }),
})

const fail = command({
  summary: 'Fail in a chosen way',
  examples: [],
  arguments: [{ name: 'how', required: true, summary: 'how' }],
  options: { format: { type: 'string', placeholder: 'FORMAT', choices: ['text', 'json', 'sarif'], summary: 'shape' } },
  run: async ({ args, options }) => {
    if (args.how === 'expected') throw new SvcError('project-not-found', { project: 'shop' })
    if (args.how === 'bug') throw new TypeError('x is undefined')
    const failures = [new SvcError('transport-failed', { url: 'http://a', reason: 'refused' })]
    if (args.how === 'several') return { exitCode: [5, 4], failures, summary: { done: 1 }, findings: [] }
    return { exitCode: 4, text: `${options.format ?? 'text'}\n` }
  },
})

const registry = registryOf({ 'thing show': show, fail })
const here = (line: string, env: Record<string, string> = {}) =>
  runCommand(line === '' ? [] : line.split(' '), registry, { env })

const dataOf = (stdout: string): unknown => (JSON.parse(stdout) as { data: unknown }).data

test('values come from the command line, then the variable, then the default', async () => {
  const line = '--tenant acme thing show --json a b c -t x --tag=y --min-grade B --no-wait --limit 5 --version 2.0'
  const { exit, stdout, stderr } = await here(line, { SVC_IMPORT_TIMEOUT: '2m', SVC_API_KEY: 'k', SVC_TENANT: 'no' })
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
  expect(dataOf(stdout)).toEqual({
    args: { first: 'a', more: ['b', 'c'] },
    options: {
      'min-grade': 'B',
      tag: ['x', 'y'],
      wait: false,
      'import-timeout': 120_000,
      limit: 5,
      version: '2.0',
    },
    globals: {
      tenant: 'acme',
      apiKey: 'k',
      json: true,
      quiet: false,
      verbose: false,
      timeoutMs: 60_000,
      deadlineMs: 120_000,
      memoryMb: 4096,
      offline: false,
      allowHosts: [],
      named: [],
      given: ['tenant', 'api-key', 'json'],
    },
    given: ['tag', 'min-grade', 'wait', 'limit', 'version'],
  })
})

test('what is absent has its default', async () => {
  const { stdout } = await here('--json thing show a')
  expect(dataOf(stdout)).toEqual({
    args: { first: 'a', more: [] },
    options: { tag: [], wait: true, 'import-timeout': 5000 },
    globals: {
      json: true,
      quiet: false,
      verbose: false,
      timeoutMs: 60_000,
      deadlineMs: 120_000,
      memoryMb: 4096,
      offline: false,
      allowHosts: [],
      named: [],
      given: ['json'],
    },
    given: [],
  })
})

test('after -- nothing is an option', async () => {
  const { exit, stdout } = await here('--json thing show -- --json -x')
  expect(exit).toBe(0)
  expect(dataOf(stdout)).toMatchObject({ args: { first: '--json', more: ['-x'] } })
})

const usage =
  'usage: svc thing show [OPTIONS] FIRST [MORE...]\nhint: Run "svc thing show --help" for arguments and options.\n'
const refusals: readonly (readonly [line: string, said: string])[] = [
  ['thing show a --min-grad B', 'Unknown option --min-grad; did you mean --min-grade?'],
  ['thing show a --zzzzzz', 'Unknown option --zzzzzz'],
  ['thing show a --min-grade', '--min-grade requires a value: A, B, C, D, F'],
  [
    'thing show a --min-grade --json2',
    '--min-grade requires a value ("--json2" looks like an option; write --min-grade=--json2 if that is the value)',
  ],
  ['thing show a --min-grade b', '--min-grade must be one of A, B, C, D, F, not "b"; did you mean B?'],
  ['thing show a --min-grade A --min-grade B', '--min-grade is given twice with different values'],
  ['thing show a --limit 0', '--limit must be at least 1, not "0"'],
  ['thing show a --limit -5', '--limit must be at least 1, not "-5"'],
  ['thing show a --limit 1.5', '--limit must be a whole number, not "1.5"'],
  [
    'thing show a --import-timeout soon',
    '--import-timeout must be a duration such as 500ms, 30s, 5m, 2h or 1d, not "soon"',
  ],
  ['thing show a --wait=yes', '--wait does not take a value'],
  ['thing show a --no-limit', 'Unknown option --no-limit; did you mean --limit?'],
  ['thing show', 'Missing argument FIRST (the first)'],
]
test.each(refusals)('svc %s', async (line, said) => {
  expect(await here(line)).toEqual({ exit: 2, stdout: '', stderr: `error: ${said}\n${usage}` })
})

test('an unknown command names the nearest one', async () => {
  const hint = (name: string): string => `hint: Run "svc${name} --help" for arguments and options.\n`
  expect(await here('thing shwo')).toEqual({
    exit: 2,
    stdout: '',
    stderr: `error: Unknown command "svc thing shwo"; did you mean "svc thing show"?\nusage: svc thing COMMAND\n${hint(' thing')}`,
  })
  expect(await here('--tennant a thing show')).toEqual({
    exit: 2,
    stdout: '',
    stderr: `error: Unknown option --tennant; did you mean --tenant?\nusage: svc COMMAND\n${hint('')}`,
  })
  expect((await here('thing')).stderr).toStartWith('error: Missing subcommand after "svc thing": show\n')
  expect(await here('fail expected extra')).toMatchObject({
    exit: 2,
    stderr: `error: Unexpected argument "extra"\nusage: svc fail [OPTIONS] HOW\n${hint(' fail')}`,
  })
})

test('an expected failure is reported with its code and exits as the catalogue says', async () => {
  expect(await here('fail expected')).toEqual({
    exit: 2,
    stdout: '',
    stderr:
      'error: There is no project "shop" in this organization.\n' +
      'hint: Run "svc project list" to list the projects you can see.\n' +
      '(project-not-found; svc explain project-not-found)\n',
  })
  const { exit, stdout } = await here('fail expected --json')
  expect(exit).toBe(2)
  expect(JSON.parse(stdout)).toEqual({
    schemaVersion: 1,
    command: 'fail',
    ok: false,
    exitCode: 2,
    summary: null,
    data: null,
    error: {
      code: 'project-not-found',
      message: 'There is no project "shop" in this organization.',
      hint: 'Run "svc project list" to list the projects you can see.',
      docs: 'svc explain project-not-found',
      requestId: null,
      retryable: false,
    },
  })
})

test('a usage error is an envelope too', async () => {
  const { exit, stdout } = await here('--json thing show')
  expect(exit).toBe(2)
  expect(JSON.parse(stdout)).toMatchObject({ command: 'thing show', ok: false, exitCode: 2, error: { code: 'usage' } })
})

test('a bug exits 70, with its stack only on request', async () => {
  const quiet = await here('fail bug')
  expect(quiet).toMatchObject({ exit: 70, stdout: '' })
  expect(quiet.stderr).toStartWith('error: svc failed: TypeError: x is undefined\nhint: This is a bug in svc.')
  expect(quiet.stderr).not.toContain('run.test.ts')
  expect((await here('fail bug', { SVC_DEBUG: '1' })).stderr).toContain('run.test.ts')
  expect((await here('fail bug --verbose')).stderr).toContain('run.test.ts')
  expect((await here('fail bug', { SVC_LOG_LEVEL: 'debug' })).stderr).toContain('run.test.ts')
})

test('several exit codes combine by precedence, and the envelope holds the worst failure', async () => {
  const { exit, stdout } = await here('fail several --json')
  expect(exit).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    exitCode: 1,
    findings: [],
    summary: { done: 1 },
    error: { retryable: true },
  })
  expect(combineExitCodes([])).toBe(0)
  expect(combineExitCodes([5, 3, 4])).toBe(3)
  expect(combineExitCodes([6, 7, 0])).toBe(7)
})

test('--json and --format json are the same where format is a report format', async () => {
  expect(JSON.parse((await here('fail x --format json')).stdout)).toMatchObject({ command: 'fail', exitCode: 4 })
  expect(await here('fail x --format sarif')).toEqual({ exit: 4, stdout: 'sarif\n', stderr: '' })
  expect((await here('fail x --format sarif --json')).stderr).toStartWith('error: --json and --format sarif exclude')
})

const helpText = `Show what was given.

Usage:
  svc thing show [OPTIONS] FIRST [MORE...]

Arguments:
  FIRST  the first
  MORE   all others

Options:
  --min-grade A-F        lowest grade [one of A, B, C, D, F]
  -t, --tag TAG          a tag [may be repeated]
  --wait/--no-wait       wait for the end [default: yes]
  --import-timeout TIME  longest wait [default: 5s; $SVC_IMPORT_TIMEOUT]
  --limit N              at most so many
  --version TEXT         label

Options of every command:
  --base-url URL       use the service at this URL instead of the local
                       workspace [$SVC_BASE_URL]
  --tenant SLUG        slug of the organization to work in [$SVC_TENANT]
  --api-key KEY        API key (safer in the variable: other users can see
                       command lines) [$SVC_API_KEY]
  --workspace DIR      folder of the local workspace (default: the nearest .svc,
                       else your data folder) [$SVC_WORKSPACE]
  --allow-hosts HOSTS  hosts, separated by commas, whose addresses in files are
                       requested (HOST or HOST:PORT; default: none)
                       [$SVC_ALLOW_HOSTS]
  --offline            request no address and no service at all [$SVC_OFFLINE]
  --root DIR           references lead to no file outside this folder (default:
                       the repository, else the folder of the document)
                       [$SVC_ROOT]
  --json               print one JSON object on standard output, also on failure
  --timeout TIME       timeout of a single request: 500ms, 30s, 5m (default 60s)
                       [$SVC_TIMEOUT]
  --deadline TIME      longest time that a command may work on one document
                       (default 2m) [$SVC_DEADLINE]
  --max-memory MB      most memory that a command may need for it [default:
                       4096; $SVC_MAX_MEMORY]
  -q, --quiet          print only warnings and errors on standard error; imports
                       print no summary either
  -v, --verbose        also print requests and stack traces on standard error
  -h, --help           show the help of the command

Examples:
  svc thing show a
`

test('help names everything', async () => {
  const { exit, stdout } = await here('thing show --help')
  expect(exit).toBe(0)
  expect(stdout).toBe(helpText)
  expect((await here('thing --help')).stdout).toContain('Commands:\n  show  Show what was given\n')
})

test('help is also a command', async () => {
  expect((await here('help thing show')).stdout).toBe(helpText)
  expect((await here('help thing')).stdout).toBe((await here('thing --help')).stdout)
  expect((await here('help')).stdout).toBe((await here('--help')).stdout)
  expect(await here('help nothing')).toMatchObject({
    exit: 2,
    stderr: expect.stringMatching(/^error: Unknown command "svc nothing"/),
  })
})

test('--quiet leaves warnings and errors, --verbose adds debug messages', async () => {
  const talk = command({
    summary: 'Talk',
    examples: [],
    arguments: [],
    options: {},
    run: async ({ io: { log } }) => {
      log.debug('detail')
      for (let time = 0; time < 8; time++) log.info('step')
      log.warn('careful')
      return { text: 'data\n', failures: [new SvcError('project-not-found', { project: 'a' })] }
    },
  })
  const said = async (line: string, env: Record<string, string> = {}) => {
    const { stdout, stderr } = await runCommand(line.split(' '), registryOf({ talk }), { env })
    expect(stdout).toBe('data\n')
    return stderr.split('\n').map((it) => it.split(' ')[0])
  }
  const steps = Array.from({ length: 8 }, () => 'step')
  const failure = ['error:', 'hint:', '(project-not-found;', '']
  expect(await said('talk')).toEqual([...steps, 'warning:', ...failure])
  expect(await said('talk --quiet')).toEqual(['warning:', ...failure])
  expect(await said('-q talk')).toEqual(['warning:', ...failure])
  expect(await said('talk', { SVC_LOG_LEVEL: 'error' })).toEqual(failure)
  expect(await said('talk', { SVC_LOG_LEVEL: 'silent' })).toEqual(failure)
  expect(await said('talk -q', { SVC_LOG_LEVEL: 'debug' })).toEqual(['warning:', ...failure])
  const verbose = await said('talk -v')
  expect(verbose.slice(0, 10)).toEqual(['debug:', ...steps, 'warning:'])
  expect(verbose).toContain('debug:')
  expect((await runCommand(['talk', '-q', '-v'], registryOf({ talk }))).exit).toBe(2)
})

test('an interruption ends with 130 and says nothing', async () => {
  const controller = new AbortController()
  const slow = command({
    summary: 'Wait',
    examples: [],
    arguments: [],
    options: {},
    run: () => new Promise(() => {}),
  })
  const running = runCommand(['slow'], registryOf({ slow }), { signal: controller.signal })
  controller.abort()
  expect(await running).toEqual({ exit: 130, stdout: '', stderr: '' })
})
