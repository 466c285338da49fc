/** Python's packages for checks of the gateway, installed once into a folder of their own. */
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs a program.
 * @param input what it reads from standard input
 * @returns what it writes to standard output
 * @throws Error with what it writes to standard error, where it fails
 */
export function run(words: readonly string[], input = ''): string {
  const [program = '', ...rest] = words
  // Hypothesis writes a folder where it is started.
  const { status, stdout, stderr } = spawnSync(program, rest, {
    input,
    cwd: tmpdir(),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  })
  if (status !== 0) throw new Error(`${program}: ${stderr}`)
  return stdout
}

/**
 * The path of a Python that has some packages.
 * @param name of the folder, below that for temporary files
 * @param packages with their versions, as pip takes them
 * @throws Error where they cannot be installed
 */
export function pythonWith(name: string, packages: readonly string[]): string {
  const folder = join(tmpdir(), name)
  const path = join(folder, 'bin/python')
  if (!existsSync(join(folder, 'ready'))) {
    run(['python3', '-m', 'venv', folder])
    run([path, '-m', 'pip', 'install', '--quiet', ...packages])
    writeFileSync(join(folder, 'ready'), '')
  }
  return path
}
