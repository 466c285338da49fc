/**
 * Calls every operation of the served description with what Schemathesis makes of it, right and wrong:
 * `npm run schemathesis -- [--examples 20] [--seed NUMBER] [--program PATH] [--only OPERATION-ID]`. The same cases in each run, or those of a seed. Three times, each
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
  },
})
const program =
  values.program === undefined
    ? [process.execPath, 'run', join(import.meta.dir, '..', 'cli', 'main.ts')]
    : [values.program]

interface Accepted {
  /** The type of the finding, as Schemathesis names it. */
  readonly finding: string
  readonly operations: readonly string[]
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

/** What spends attempts to sign in, or ends what is signed in. */
const signingIn = [
  'auth.login',
  'auth.logout',
  'auth.password',
  'auth.refresh',
  'auth.device.code',
  'auth.device.token',
]

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

function configOf({ leftOut, isKnown, only }: Pass, ids: Readonly<Record<string, string>>): string {
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
    ...(only.length > 0 ? [] : signIn),
    ...(isKnown ? ['[parameters]', ...quoted(ids)] : []),
    ...without,
    '',
  ].join('\n')
}

async function run(command: string, { url, folder, ids }: Scratch, pass: Pass): Promise<Report> {
  const name = pass.name.replace(' ', '-')
  const files = {
    config: join(folder, `${name}.toml`),
    report: join(folder, `${name}.json`),
    text: join(folder, `${name}.txt`),
  }
  writeFileSync(files.config, configOf(pass, ids))
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
      'examples,coverage,fuzzing',
      '--max-examples',
      values.examples,

      '--max-response-time',
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
  const report = JSON.parse(readFileSync(files.report, 'utf8')) as Report
  const isListed = (finding: string, operation: string): boolean =>
    accepted.some((it) => it.finding === finding && it.operations.includes(operation))
  const unlisted = report.failures.flatMap(({ type, operations }) => operations.filter((it) => !isListed(type, it)))
  if (unlisted.length + report.errors.length > 0)
    console.log(readFileSync(files.text, 'utf8').replace(/^[^]*?(?==+ (?:FAILURES|ERRORS))/, ''))
  return report
}

const command = install()
const seen = new Set<string>()

/** Does a pass on a server of its own. @returns whether there is a finding that is not listed */
async function report(pass: Pass): Promise<boolean> {
  const scratch = await startScratch(program)
  try {
    const { operations, test_cases, failures, errors, complete } = await run(command, scratch, pass)
    console.log(`${pass.name}: ${operations.tested} operations, ${test_cases.generated} cases`)
    let isClean = errors.length === 0 && complete
    if (!isClean) console.log(`! ${errors.length} errors of Schemathesis itself`)
    for (const { type, title, operations: where } of failures)
      for (const operation of where) {
        const why = accepted.find((it) => it.finding === type && it.operations.includes(operation))?.reason
        seen.add(`${type} ${operation}`)
        isClean &&= why !== undefined
        console.log(`${why === undefined ? '! ' : '  '}${type} ${operation}: ${why ?? title}`)
      }
    return isClean
  } finally {
    await scratch.stop()
  }
}

let isClean = true
for (const pass of passes)
  if (values.only === undefined || !pass.leftOut.includes(values.only)) isClean = (await report(pass)) && isClean
if (values.only === undefined)
  for (const { finding, operations } of accepted)
    for (const operation of operations)
      if (!seen.has(`${finding} ${operation}`)) console.log(`  listed and not found: ${finding} ${operation}`)
console.log(isClean ? 'Nothing that is not listed.' : 'There are findings that are not listed.')
process.exitCode = isClean ? 0 : 1
