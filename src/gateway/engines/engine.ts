/** What svc knows of one kind of gateway: everything that is particular to it is said in its record, and nowhere else. */
import type { Dialect } from '../dialects/dialect.ts'
import type { DialectName } from '../dialects/index.ts'
import type { ReleaseFile } from '../release/file.ts'

/** How a program is asked whether it can load a release, while what it uses stays as it is. */
export interface LoadCheck {
  readonly program: string
  /** The name of its configuration. */
  readonly file: string
  /** A configuration with nothing in it but a release. */
  readonly text: (release: string) => string
  /** The words of the command. @param file the path of the configuration, quoted where a shell reads it */
  readonly words: (file: string) => readonly string[]
}

/** What `svc gateway compile` adds for a program beside the files of its dialect. */
export interface CompiledFor {
  /** Why its files cannot be in a folder; null: they can. */
  readonly folderProblem: (folder: string) => string | null
  /** @param entry the text of `svc.conf` */
  readonly files: (
    entry: string,
    compiled: readonly ReleaseFile[],
    place: { readonly folder: string; readonly hostnames: readonly string[] },
  ) => readonly ReleaseFile[]
  readonly nextStep: (folder: string) => string
}

/** A kind of gateway: a program, and how it enforces a policy. */
export interface Engine<K extends string = string, N extends string = string> {
  /** The name in API and database, where it is called the engine of a gateway. It never changes. */
  readonly kind: K
  /** The name in `svc gateway run --engine`. It never changes. */
  readonly name: N
  /** In the words of its users. */
  readonly title: string
  /** What it can and cannot do, for who chooses one. */
  readonly note: string
  /** The flavour of SecLang that its releases are in. */
  readonly dialect: Dialect<DialectName>
  /** Null: no program is asked. */
  readonly check: LoadCheck | null
  /** The command that makes it read a release; null: there is no usual one. */
  readonly reload: string | null
  /** Whether its agent needs a command that reloads it. */
  readonly needsReload: boolean
  /** It answers with the status of the rule that refused, so that it can be asked which release it uses. */
  readonly probes: boolean
  /** Prints its version; null: no such command is known. */
  readonly version: string | null
  /** Lines of its error log that say that it could not use its configuration. */
  readonly fatal: RegExp
  /** Files that the agent writes beside each release, by name. @param directives that include the release, one in each line */
  readonly besides: (directives: string) => ReadonlyMap<string, string>
  /** Null: `svc gateway compile` is asked for the dialect. */
  readonly compiled: CompiledFor | null
}

const usual = {
  check: null,
  reload: null,
  needsReload: false,
  probes: false,
  version: null,
  fatal: /\[(?:emerg|alert|crit)\]|Rules error\.|"level":"(?:fatal|panic)"/,
  besides: () => new Map<string, string>(),
  compiled: null,
} as const

type Own = 'kind' | 'name' | 'title' | 'note' | 'dialect'

/** Declares an engine; it is known once it is in the list of `index.ts`. What is left out is as for an engine that svc only writes files for. */
export const defineEngine = <const K extends string, const N extends string>(
  engine: Pick<Engine<K, N>, Own> & Partial<Omit<Engine<K, N>, Own>>,
): Engine<K, N> => ({ ...usual, ...engine })
