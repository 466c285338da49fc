/**
 * Makes clients from `/v1/openapi.json` with the generators that most people use, and runs one flow with each against a scratch
 * workspace: create a project, list it, read what may be null, and read the error of one that is not there.
 * `node scripts/bun.mjs run scripts/clients.ts [--only NAME] [--keep FOLDER]`.
 *
 * It needs the package indexes of npm, Python, Go and Maven, and Java 11, Go 1.24 and Python 3.10 or newer; a generator whose tools are
 * missing is skipped with the reason. Exit code 1 if a generator fails, or if its client does.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { email, password, startScratch } from './schemathesis/scratch.ts'

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: { only: { type: 'string' }, keep: { type: 'string' } },
})
const flows = join(import.meta.dir, 'clients')
const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'svc-clients-'))
mkdirSync(folder, { recursive: true })

interface Step {
  readonly command: readonly string[]
  readonly cwd?: string
}

interface Generator {
  readonly name: string
  /** The programs that it needs. */
  readonly needs: readonly string[]
  readonly steps: (at: string) => readonly Step[]
}

const jar = join(folder, 'openapi-generator-cli.jar')
const fetchJar: Step = {
  command: [
    'mvn',
    '-q',
    'dependency:copy',
    '-Dartifact=org.openapitools:openapi-generator-cli:7.17.0',
    `-DoutputDirectory=${folder}`,
    '-Dmdep.stripVersion=true',
  ],
}
const description = join(folder, 'openapi.json')
// Webhooks are what a receiver implements: the generator would write them as calls, in Python with faults of syntax.
const parts = ['--global-property', 'apis,models,supportingFiles']
const generate = (kind: string, at: string, ...more: string[]): readonly Step[] => [
  ...(existsSync(jar) ? [] : [fetchJar]),
  {
    command: [
      'java',
      '-Xmx1g',
      '-jar',
      jar,
      'generate',
      '-g',
      kind,
      '-i',
      description,
      '-o',
      join(at, 'client'),
      ...parts,
      ...more,
    ],
  },
]
const python = (at: string, ...packages: string[]): readonly Step[] => [
  { command: ['python3', '-m', 'venv', join(at, 'venv')] },
  { command: [join(at, 'venv', 'bin', 'pip'), 'install', '--quiet', ...packages] },
]

const generators: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    needs: ['npm'],
    steps: (at) => [
      {
        command: [
          'npm',
          'install',
          '--prefix',
          at,
          '--ignore-scripts',
          '--no-audit',
          '--silent',
          'openapi-typescript@7.13.0',
          'openapi-fetch@0.17.0',
          'typescript@5.9.3',
        ],
      },
      { command: [join(at, 'node_modules', '.bin', 'openapi-typescript'), description, '-o', join(at, 'schema.d.ts')] },
      {
        command: [
          join(at, 'node_modules', '.bin', 'tsc'),
          '--noEmit',
          '--strict',
          '--skipLibCheck',
          '--module',
          'preserve',
          '--target',
          'es2022',
          join(at, 'flow.ts'),
        ],
      },
      { command: [process.execPath, 'run', join(at, 'flow.ts')] },
    ],
  },
  {
    name: 'openapi-generator-python',
    needs: ['java', 'mvn', 'python3'],
    steps: (at) => [
      ...generate('python', at),
      ...python(at, join(at, 'client')),
      { command: [join(at, 'venv', 'bin', 'python'), join(at, 'flow.py')] },
    ],
  },
  {
    name: 'openapi-generator-typescript',
    needs: ['java', 'mvn'],
    steps: (at) => [...generate('typescript-fetch', at), { command: [process.execPath, 'run', join(at, 'flow.ts')] }],
  },
  {
    name: 'openapi-generator-go',
    needs: ['java', 'mvn', 'go'],
    steps: (at) => [
      ...generate('go', at, '--additional-properties=packageName=client', '--git-user-id=svc', '--git-repo-id=client'),
      { command: ['go', 'mod', 'tidy'], cwd: at },
      { command: ['go', 'run', '.'], cwd: at },
    ],
  },
  {
    name: 'openapi-generator-java',
    needs: ['java', 'mvn'],
    steps: (at) => [
      ...generate(
        'java',
        at,
        '--library=native',
        '--additional-properties=hideGenerationTimestamp=true,artifactVersion=1.0.0',
      ),
      { command: ['mvn', '-q', '-DskipTests', '-Dmaven.javadoc.skip=true', 'install'], cwd: join(at, 'client') },
      { command: ['mvn', '-q', 'compile', 'exec:java', '-Dexec.mainClass=Flow'], cwd: at },
    ],
  },
  {
    name: 'openapi-python-client',
    needs: ['python3'],
    steps: (at) => [
      ...python(at, 'openapi-python-client==0.29.0'),
      {
        command: [
          join(at, 'venv', 'bin', 'openapi-python-client'),
          'generate',
          '--path',
          description,
          '--output-path',
          join(at, 'client'),
        ],
      },
      { command: [join(at, 'venv', 'bin', 'python'), join(at, 'flow.py')] },
    ],
  },
  {
    name: 'oapi-codegen',
    needs: ['go'],
    steps: (at) => [
      {
        command: [
          'go',
          'run',
          'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2',
          '-config',
          join(at, 'config.yaml'),
          description,
        ],
        cwd: at,
      },
      { command: ['go', 'mod', 'tidy'], cwd: at },
      { command: ['go', 'run', '.'], cwd: at },
    ],
  },
]

/** Runs the steps of a generator, each with an access token of its own; the output of the one that fails, or null. */
async function failureOf(
  { name, steps }: Generator,
  { url, signIn }: { readonly url: string; readonly signIn: () => Promise<string> },
): Promise<string | null> {
  const at = join(folder, name)
  cpSync(join(flows, name), at, { recursive: true })
  // In this checkout it would be compiled without the client that it uses.
  const typed = join(at, 'flow.ts')
  if (existsSync(`${typed}.txt`)) renameSync(`${typed}.txt`, typed)
  for (const { command, cwd = at } of steps(at)) {
    // On a busy machine a client is made for longer than a token is valid.
    const token = await signIn()
    const env = { ...process.env, SVC_URL: url, SVC_TOKEN: token, SVC_NAME: name, GOFLAGS: '-mod=mod' }
    const done = Bun.spawnSync([...command], { cwd, env, stdout: 'pipe', stderr: 'pipe' })
    if (done.exitCode !== 0)
      return `${command.join(' ')}\n${done.stdout.toString().slice(-2000)}${done.stderr.toString().slice(-4000)}`
  }
  return null
}

const scratch = await startScratch([process.execPath, 'run', join(import.meta.dir, '..', 'cli', 'main.ts')])
let failed = 0
try {
  writeFileSync(description, await (await fetch(`${scratch.url}/v1/openapi.json`)).bytes())
  const signIn = async (): Promise<string> => {
    const answer = await fetch(`${scratch.url}/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    return ((await answer.json()) as { access_token: string }).access_token
  }
  for (const generator of generators.filter((it) => values.only === undefined || it.name === values.only)) {
    const missing = generator.needs.filter((it) => Bun.which(it) === null)
    if (missing.length > 0) {
      console.log(`${generator.name}: skipped, ${missing.join(' and ')} not found`)
      continue
    }
    const failure = await failureOf(generator, { url: scratch.url, signIn })
    if (failure !== null) failed++
    console.log(failure === null ? `${generator.name}: made and used` : `${generator.name}: FAILED\n${failure}`)
  }
} finally {
  await scratch.stop()
}
process.exit(failed === 0 ? 0 : 1)
