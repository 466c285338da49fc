/**
 * Calls every operation of the served description with what Schemathesis makes of it, right and wrong:
 * `npm run schemathesis -- [--examples 20] [--seed NUMBER] [--program PATH] [--only OPERATION-ID] [--phases examples,coverage,fuzzing]
 * [--passes NAMES]`. The same cases in each run, or those of a seed. Three times, each
 * on a scratch workspace: with ids that name nothing, with ids of what is there, and what signs in. Findings are compared with those that scripts/schemathesis/accepted.json lists, each with its reason; exit code 1
 * for any other, 2 where Schemathesis cannot be had. It needs Python 3.10 or newer and, the first time, the package index of
 * Python: the pinned version is installed into a folder of its own below the folder for temporary files.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { email, password, startScratch, type Scratch } from './schemathesis/scratch.ts'

const version = '4.32.5'
const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    examples: { type: 'string', default: '20' },
    seed: { type: 'string' },
    program: { type: 'string' },
    only: { type: 'string' },
    phases: { type: 'string', default: 'examples,coverage,fuzzing' },
    passes: { type: 'string', default: 'unknown ids,known ids,signing in' },
  },
})
const program =
  values.program === undefined
    ? [process.execPath, 'run', join(import.meta.dir, '..', 'cli', 'main.ts')]
    : [values.program]

interface Accepted {
  /** The type of the finding, as Schemathesis names it. */
  readonly finding: string
  /** Where it is accepted; every operation when left out. */
  readonly operations?: readonly string[]
  /**
   * Codes of the answers that it is accepted for; any when left out. `text-unstorable` is a text that databases cannot store,
   * `integer-unsafe` an integer from 2^53 on, `status-431` an answer without a code.
   */
  readonly codes?: readonly string[]
  readonly reason: string
}

interface Report {
  readonly complete: boolean
  readonly operations: { readonly tested: number }
  readonly test_cases: { readonly generated: number }
  readonly failures: readonly {
    readonly type: string
    readonly title: string
    readonly operations: readonly string[]
  }[]
  readonly errors: readonly unknown[]
}

const accepted = JSON.parse(
  readFileSync(join(import.meta.dir, 'schemathesis', 'accepted.json'), 'utf8'),
) as readonly Accepted[]

/** What would end the data that later calls need, or the account that makes them. */
const destructive = [
  'consumers.retire',
  'projects.remove',
  'style-guides.delete',
  'tenants.delete',
  'tenants.transfer',
  'versions.remove',
  'versions.retire',
]

/** What spends attempts to sign in, ends what is signed in, or changes which organizations the account belongs to. */
const signingIn = [
  'onboarding.first-tenant',
  'onboarding.membership-activation',
  'auth.login',
  'auth.logout',
  'auth.password',
  'auth.refresh',
  'auth.device.code',
  'auth.device.token',
  'auth.login.second-factor',
  'second-factors.app.begin',
  'second-factors.app.confirm',
  'second-factors.app.remove',
  'second-factors.recovery-codes.renew',
]

/** What an answer says of itself, as a run shows it: the code of an error, else its status. */
function codeOf(found: string): string {
  if (/NUL character|surrogate/.test(found)) return 'text-unstorable'
  if (found.includes('Expected integer.') && /\d{16}/.test(found)) return 'integer-unsafe'
  const status = /^\[(\d+)\]/m.exec(found)?.[1] ?? 'unknown'
  return /"code":"([a-z_-]+)"/.exec(found)?.[1] ?? `status-${status}`
}

/** The codes of the answers that each finding of an operation is about, by its title and the operation, as the text of a run shows them. */
function codesIn(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const codes = new Map<string, Set<string>>()
  // A long address has no line around it.
  for (const section of text.split(/^(?=[_ ]*[A-Z]+ \/v1\S*[_ ]*$)/m)) {
    const operation = /^[_ ]*([A-Z]+ \/v1\S*?)[_ ]*$/m.exec(section)?.[1] ?? ''
    for (const found of section.split(/^(?=\d+\. Test Case ID)/m)) {
      const code = codeOf(found)
      for (const [, title = ''] of found.matchAll(/^- (?:[A-Z]+\d+ )?(.+)$/gm)) {
        const key = `${title} ${operation}`
        codes.set(key, (codes.get(key) ?? new Set()).add(code))
      }
    }
  }
  return codes
}

/** The program, installed where it is missing; exits with instructions where it cannot be. */
function install(): string {
  const folder = join(tmpdir(), `svc-schemathesis-${version}`)
  const path = join(folder, 'bin', 'schemathesis')
  if (existsSync(path)) return path
  const steps = [
    ['python3', '-m', 'venv', folder],
    [join(folder, 'bin', 'pip'), 'install', '--quiet', `schemathesis==${version}`],
  ]
  for (const step of steps) {
    const isThere = Bun.which(step[0] ?? '') !== null || existsSync(step[0] ?? '')
    const done = isThere ? Bun.spawnSync(step, { stdout: 'inherit', stderr: 'inherit' }) : null
    if (done?.exitCode === 0) continue
    console.error(
      `Schemathesis ${version} is missing and could not be installed. Install Python 3.10 or newer, then run:`,
    )
    for (const one of steps) console.error(`  ${one.join(' ')}`)
    process.exit(2)
  }
  return path
}

/** What a run calls, and how. */
interface Pass {
  readonly name: string
  readonly leftOut: readonly string[]
  readonly only: readonly string[]
  readonly isKnown: boolean
}

// Attempts to sign in are limited for each address, and the other runs sign in themselves.
const passes: readonly Pass[] = [
  { name: 'unknown ids', leftOut: signingIn, only: [], isKnown: false },
  { name: 'known ids', leftOut: [...signingIn, ...destructive], only: [], isKnown: true },
  { name: 'signing in', leftOut: [], only: signingIn, isKnown: false },
]

const quoted = (values: Readonly<Record<string, string>>): string[] =>
  Object.entries(values).map(([name, value]) => `${JSON.stringify(name)} = ${JSON.stringify(value)}`)

function configOf({ leftOut, isKnown, only }: Pass, { ids, bearer }: Scratch): string {
  const without = leftOut.flatMap((id) => [
    '[[operations]]',
    `include-operation-id = ${JSON.stringify(id)}`,
    'enabled = false',
  ])
  const signIn = [
    '[auth.dynamic.openapi.bearer]',
    'path = "/v1/auth/login"',
    `payload = { email = ${JSON.stringify(email)}, password = ${JSON.stringify(password)} }`,
    'extract_selector = "/access_token"',
  ]
  return [
    // What signs in spends the attempts that signing in again would need.
    ...(only.length > 0 ? [`headers = { Authorization = ${JSON.stringify(bearer)} }`] : signIn),
    ...(isKnown ? ['[parameters]', ...quoted(ids)] : []),
    ...without,
    '',
  ].join('\n')
}

const hasRun = (report: Partial<Report>): report is Report =>
  (report.operations ?? null) !== null && (report.test_cases ?? null) !== null

interface Outcome {
  readonly report: Report
  readonly findings: readonly { type: string; title: string; operation: string; why: string | null }[]
}

async function run(command: string, scratch: Scratch, pass: Pass): Promise<Outcome> {
  const { url, folder } = scratch
  const name = pass.name.replace(' ', '-')
  const files = {
    config: join(folder, `${name}.toml`),
    report: join(folder, `${name}.json`),
    text: join(folder, `${name}.txt`),
  }
  writeFileSync(files.config, configOf(pass, scratch))
  // It is made when it is first asked for, and Schemathesis waits for ten seconds.
  await (await fetch(`${url}/v1/openapi.json`)).arrayBuffer()
  const child = Bun.spawn(
    [
      command,
      '--config-file',
      files.config,
      '--no-color',
      'run',
      `${url}/v1/openapi.json`,
      '--checks',
      'all',
      '--phases',
      values.phases,
      '--max-examples',
      values.examples,
      '--max-response-time',
      '60',
      '--request-timeout',
      '60',
      ...(values.seed === undefined ? ['--generation-deterministic'] : ['--seed', values.seed]),
      '--continue-on-failure',
      '--suppress-health-check',
      'all',
      '--report',
      'json',
      '--report-json-path',
      files.report,
      ...(values.only === undefined ? pass.only : [values.only]).flatMap((id) => ['--include-operation-id', id]),
    ],
    { cwd: folder, stdout: Bun.file(files.text), stderr: 'inherit' },
  )
  await child.exited
  if (!existsSync(files.report)) throw new Error(`Schemathesis ended early:\n${readFileSync(files.text, 'utf8')}`)
  const report = JSON.parse(readFileSync(files.report, 'utf8')) as Partial<Report>
  const text = readFileSync(files.text, 'utf8')
  if (!hasRun(report)) throw new Error(`Schemathesis ended early:\n${text}`)
  const codes = codesIn(text)
  const findings = report.failures.flatMap(({ type, title, operations }) =>
    operations.map((operation) => ({
      type,
      title,
      operation,
      why: acceptedAs(type, operation, codes.get(`${title} ${operation}`) ?? new Set()),
    })),
  )
  if (findings.some(({ why }) => why === null) || report.errors.length > 0)
    console.log(text.replace(/^[^]*?(?==+ (?:FAILURES|ERRORS))/, ''))
  return { report, findings }
}

const seen = new Set<Accepted>()

/** Why a finding is accepted; null where it is not. Each code of its answers has to be. */
function acceptedAs(finding: string, operation: string, codes: ReadonlySet<string>): string | null {
  const reasons = new Set<string>()
  for (const code of codes.size === 0 ? ['unknown'] : codes) {
    const found = accepted.find(
      (it) =>
        it.finding === finding && (it.operations?.includes(operation) ?? true) && (it.codes?.includes(code) ?? true),
    )
    if (found === undefined) return null
    seen.add(found)
    reasons.add(found.reason)
  }
  return [...reasons].join(' ')
}

const command = install()

/** Does a pass on a server of its own. @returns whether there is a finding that is not listed */
async function report(pass: Pass): Promise<boolean> {
  const scratch = await startScratch(program)
  try {
    const { report: done, findings } = await run(command, scratch, pass)
    console.log(`${pass.name}: ${done.operations.tested} operations, ${done.test_cases.generated} cases`)
    const hasErrors = done.errors.length > 0 || !done.complete
    if (hasErrors) console.log(`! ${done.errors.length} errors of Schemathesis itself`)
    for (const { type, title, operation, why } of findings)
      console.log(`${why === null ? '! ' : '  '}${type} ${operation}: ${why ?? title}`)
    return !hasErrors && findings.every(({ why }) => why !== null)
  } finally {
    await scratch.stop()
  }
}

let isClean = true
const asked = new Set(values.passes.split(','))
for (const pass of passes.filter(({ name }) => asked.has(name)))
  if (values.only === undefined || !pass.leftOut.includes(values.only)) isClean = (await report(pass)) && isClean
if (values.only === undefined)
  for (const entry of accepted.filter((it) => !seen.has(it)))
    console.log(`  listed and not found: ${entry.finding}, ${entry.reason}`)
console.log(isClean ? 'Nothing that is not listed.' : 'There are findings that are not listed.')
process.exitCode = isClean ? 0 : 1
