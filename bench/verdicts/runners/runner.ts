/** What a runner of a tool is: at most 40 lines that say how the tool is started and what its answer means. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredCase } from '../case.ts'

/** What a tool says of a case. */
export type Said = 'breaking' | 'safe' | 'undecided' | 'failed'

export interface Outcome {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export interface Runner {
  readonly name: string
  /** How the tool is put in place, said where it is missing. */
  readonly install: string
  /** The version that is installed; null where the tool is missing. */
  version(): string | null
  /** Whether the tool reads documents like those of a case at all. */
  reads(made: StoredCase): boolean
  /** The command line that compares two files. */
  command(base: string, head: string, made: StoredCase): readonly string[]
  /** What the outcome means. */
  said(outcome: Outcome, made: StoredCase): Said
}

/** The folder of the tools that others made; git ignores it. */
export const toolFolder = join(import.meta.dir, '..', '.tools')

/** The path of a file of the tools; null where it is missing. */
export function toolAt(...path: readonly string[]): string | null {
  const found = join(toolFolder, ...path)
  return existsSync(found) ? found : null
}

/** What a program prints, trimmed; null where it fails. */
export function printed(command: readonly string[]): string | null {
  const result = Bun.spawnSync([...command], { stderr: 'ignore', timeout: 60_000 })
  return result.exitCode === 0 ? result.stdout.toString().trim() : null
}

/**
 * The version and the command line of a library of Java, with a class of our own that asks it.
 * @param library the folder of its jars below `.tools/java`, and how the name of its own jar begins
 */
export function ofJava(
  library: { readonly folder: string; readonly jar: string },
  main: string,
): Pick<Runner, 'version' | 'command'> {
  const folder = () => toolAt('java', library.folder)
  return {
    version: () => {
      const found = folder()
      if (found === null || toolAt('java', `${main}.class`) === null || printed(['java', '-version']) === null)
        return null
      const jar = readdirSync(found).find((name) => name.startsWith(library.jar))
      return jar?.slice(library.jar.length).replace(/\.jar$/, '') ?? null
    },
    command: (base, head) => {
      const classes = `${join(toolFolder, 'java')}:${join(folder() ?? '.', '*')}`
      // The fastest start of a short program.
      return ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', classes, main, base, head]
    },
  }
}

/** What such a class says: "breaking" or "safe" on a line of its own. */
export function saidLine({ exitCode, stdout }: Outcome): Said {
  const said = /^(breaking|safe)$/m.exec(stdout)?.[1]
  return exitCode === 0 && (said === 'breaking' || said === 'safe') ? said : 'failed'
}
