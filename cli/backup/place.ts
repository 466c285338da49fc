/** What the backup commands share: where the data is, and how a backup is described. */
import type { CheckedBackup } from '../../db/backup/manifest.ts'
import type { DatabaseTarget } from '../../db/open.ts'
import { SvcError } from '../../src/errors.ts'
import { loadConfig, type ConfigSource } from '../configuration.ts'
import type { Globals } from '../globals.ts'
import { storedTarget, workspaceFolder } from '../connection/workspace.ts'
import { plural } from '../../src/kernel/plural.ts'

type Source = ConfigSource & { readonly globals: Pick<Globals, 'workspace' | 'baseUrl'> }

/**
 * The database that a backup is taken from or restored into: Postgres where one is configured, else the workspace.
 * @throws SvcError `usage` when a service is named, since backups go past it
 */
export async function locateDatabase(source: Source): Promise<{ target: DatabaseTarget; name: string }> {
  if (source.globals.baseUrl !== undefined)
    throw new SvcError('usage', {
      reason:
        'This command works on the machine that has the data, not with --base-url; run it there with --workspace or SVC_DATABASE_URL',
    })
  const { values } = loadConfig(source)
  const folder = workspaceFolder(values.workspace ?? undefined, source.env, source.cwd)
  const target = await storedTarget(values, source.env, folder)
  if (target.kind === 'sqlite') return { target, name: folder }
  const { host, pathname } = URL.canParse(target.url) ? new URL(target.url) : { host: 'Postgres', pathname: '' }
  return { target, name: host + pathname }
}

export interface BackupFacts {
  readonly file: string
  readonly madeAt: string
  readonly source: 'sqlite' | 'postgres'
  readonly migrations: readonly string[]
  readonly tables: number
  readonly rows: number
  readonly digest: string
  /** Objects that its rows refer to, which are in the object storage and not in the file. */
  readonly objects: number
  /** The versions whose objects were not there when it was restored; keys of other objects. */
  readonly missing: readonly string[]
  /** The documents that were damaged before they were backed up, by their versions. */
  readonly damaged: readonly string[]
}

/** What the commands answer about a backup. */
export function describeBackup(file: string, manifest: CheckedBackup, missing: readonly string[] = []): BackupFacts {
  const { madeAt, source, migrations, rows, digest, damaged, objects = 0 } = manifest
  const counts = Object.values(rows)
  const total = counts.reduce((sum, count) => sum + count, 0)
  const facts = { file, madeAt, source, migrations, tables: counts.length, rows: total }
  return { ...facts, digest: `sha256:${digest}`, objects, missing, damaged }
}

/** JSON Schema of `BackupFacts`. */
export const backupSchema = {
  type: 'object',
  required: ['file', 'madeAt', 'source', 'migrations', 'tables', 'rows', 'digest', 'objects', 'missing', 'damaged'],
  properties: {
    file: { type: 'string' },
    madeAt: { type: 'string', format: 'date-time' },
    source: { enum: ['sqlite', 'postgres'] },
    migrations: { type: 'array', items: { type: 'string' } },
    tables: { type: 'integer' },
    rows: { type: 'integer' },
    digest: { type: 'string' },
    objects: { type: 'integer' },
    missing: { type: 'array', items: { type: 'string' } },
    damaged: { type: 'array', items: { type: 'string' } },
  },
}

// They are in the object storage, which is not in the file.
const objectsLine = ({ objects }: BackupFacts): string =>
  objects === 0 ? '' : `objects  ${objects}, in the object storage and not in this file\n`

/** The facts as lines. */
export const printBackup = (it: BackupFacts): string =>
  `made at  ${it.madeAt}\nsource   ${it.source}\nrows     ${it.rows} in ${plural(it.tables, 'table')}\ndigest   ${it.digest}\n${objectsLine(it)}`

const mostNamed = 10

/** The documents that were damaged before they were backed up, as a list to read. */
export const namesOfDamaged = ({ damaged }: BackupFacts): string =>
  [...damaged.slice(0, mostNamed), ...(damaged.length > mostNamed ? ['…'] : [])].join(', ')

/** The warning about documents that were damaged before they were backed up; null where none was. */
export const damageOf = (facts: BackupFacts): string | null =>
  facts.damaged.length === 0
    ? null
    : `${plural(facts.damaged.length, 'document')} in it changed after being stored, and cannot be read: ${namesOfDamaged(facts)}. Import the same bytes again, or keep an older backup that has them.`
