/** Copies of the checkout in which mutations are tried: the checkout itself stays as it is. */
import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Mutation, mutate } from './mutations.ts'

const root = join(import.meta.dir, '../..')

/** Where a run of tests has its database. */
export type Engine = { readonly name: 'sqlite' } | { readonly name: 'postgres'; readonly url: string }

/** What became of a run of tests; one that never ends has noticed the mutation too. */
export interface Run {
  readonly passed: boolean
  readonly tookMs: number
  /** What was printed last. */
  readonly output: string
}

export interface Workshop {
  /** The copy, as the checkout was when it was made. */
  readonly folder: string
  /** Changes one place of a file, does the work, and changes it back. */
  readonly with: <T>(file: string, mutation: Mutation, work: () => Promise<T>) => Promise<T>
  readonly run: (test: string, engine: Engine, timeoutMs: number) => Promise<Run>
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

/** Copies what git knows of the checkout, with the same dependencies. */
export async function openWorkshop(): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-mutate-'))
  // However the run ends, nothing of it stays.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const copy = join(folder, 'copy')
  const temporary = join(folder, 'tmp')
  await mkdir(temporary)
  for (const file of await tracked()) await cp(join(root, file), join(copy, file))
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))

  const run = async (test: string, engine: Engine, timeoutMs: number): Promise<Run> => {
    const started = performance.now()
    const child = Bun.spawn(
      [process.execPath, 'test', '--bail', `--timeout=${timeoutMs}`, '-t', testsOn(engine), `./${test}`],
      {
        cwd: copy,
        // What a killed test leaves behind goes with the folder.
        env: {
          ...process.env,
          NODE_ENV: 'test',
          // Trials run on SQLite, which a short run of most rooms leaves out.
          TEST_FULL: '1',
          TMPDIR: temporary,
          TEST_DATABASE_URL: engine.name === 'postgres' ? engine.url : 'postgres://sqlite-only.invalid',
        },
        stdin: 'ignore',
        stdout: 'ignore',
        stderr: 'pipe',
      },
    )
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
    const [output, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
    clearTimeout(timer)
    return { passed: code === 0, tookMs: performance.now() - started, output: output.slice(-2000) }
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
