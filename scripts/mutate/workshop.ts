/** Copies of the checkout in which mutations are tried: the checkout itself stays as it is. */
import { copyFile, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Mutation, mutate } from './mutations.ts'

const root = join(import.meta.dir, '../..')

/** Where a run of tests has its database. */
export type Engine = { readonly name: 'sqlite' } | { readonly name: 'postgres'; readonly url: string }

/** What became of a run of tests. */
export interface Run {
  readonly passed: boolean
  /** It did not end in time and was killed. */
  readonly timedOut: boolean
  readonly tookMs: number
  /** Processor time. */
  readonly cpuMs: number
  /** What was printed last. */
  readonly output: string
}

export interface Workshop {
  /** The copy, as the checkout was when it was made. */
  readonly folder: string
  /** Changes one place of a file, does the work, and changes it back. */
  readonly with: <T>(file: string, mutation: Mutation, work: () => Promise<T>) => Promise<T>
  readonly run: (test: string, engine: Engine, limits: RunLimits) => Promise<Run>
}

async function tracked(): Promise<string[]> {
  const child = Bun.spawn(['git', 'ls-files', '-co', '--exclude-standard', '--deduplicate'], {
    cwd: root,
    stdout: 'pipe',
  })
  const names = (await new Response(child.stdout).text()).split('\n').filter(Boolean)
  const exist = await Promise.all(names.map((name) => Bun.file(join(root, name)).exists()))
  return names.filter((_, at) => exist[at])
}

/** The tests that do not belong to the other engine; those without a database belong to neither. */
const testsOn = ({ name }: Engine): string => `^(?!.* on ${name === 'sqlite' ? 'postgres' : 'sqlite'})`

/** How long a run may take: on the clock, and of a processor, which does not depend on how busy the machine is. */
export interface RunLimits {
  readonly timeoutMs: number
  readonly cpuSeconds: number
}

/** Starts a command with a limit of processor time, and at most 4 GB of memory: a loop without end may fill it before its time is over. */
const limited = ['sh', '-c', 'ulimit -d 4000000 2>/dev/null; ulimit -t "$1"; shift; exec "$@"', 'sh'] as const

/** Copies what git knows of the checkout, with the same dependencies. */
export async function openWorkshop(): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-mutate-'))
  // However the run ends, nothing of it stays.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const copy = join(folder, 'copy')
  const temporary = join(folder, 'tmp')
  await mkdir(temporary)
  const files = await tracked()
  for (const parent of new Set(files.map((file) => dirname(file)))) await mkdir(join(copy, parent), { recursive: true })
  await Promise.all(files.map((file) => copyFile(join(root, file), join(copy, file))))
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))

  const run = async (test: string, engine: Engine, { timeoutMs, cpuSeconds }: RunLimits): Promise<Run> => {
    const started = performance.now()
    const child = Bun.spawn(
      // A test that is slow fails no earlier than the whole run, so that only the run decides what took too long.
      [
        ...limited,
        String(cpuSeconds),
        process.execPath,
        'test',
        '--bail',
        `--timeout=${2 * timeoutMs}`,
        '-t',
        testsOn(engine),
        `./${test}`,
      ],
      {
        cwd: copy,
        // What a killed test leaves behind goes with the folder.
        env: {
          ...process.env,
          NODE_ENV: 'test',
          // Trials run on SQLite, which a short run of most rooms leaves out. Engines and models of pages have no database: a short run has the cases of the gate.
          TEST_FULL: /^test\/(src|web)\//.test(test) ? '' : '1',
          TMPDIR: temporary,
          TEST_DATABASE_URL: engine.name === 'postgres' ? engine.url : 'postgres://sqlite-only.invalid',
        },
        stdin: 'ignore',
        stdout: 'ignore',
        stderr: 'pipe',
      },
    )
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      child.kill('SIGKILL')
    }, timeoutMs)
    const [output, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
    clearTimeout(timer)
    const cpuMs = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000
    return { passed: code === 0, timedOut, tookMs: performance.now() - started, cpuMs, output: output.slice(-2000) }
  }

  return {
    folder: copy,
    async with(file, mutation, work) {
      const path = join(copy, file)
      const source = await readFile(path, 'utf8')
      await writeFile(path, mutate(source, mutation))
      try {
        return await work()
      } finally {
        await writeFile(path, source)
      }
    },
    run,
  }
}
