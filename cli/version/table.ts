import type { VersionRecord } from '../../src/api/versions.ts'
import { renderTable, shortTime } from '../table.ts'

/** Versions as a table. */
export const versionTable = (versions: readonly VersionRecord[]): string =>
  renderTable(
    ['VERSION', 'STATUS', 'VISIBILITY', 'GRADE', 'OPERATIONS', 'FORMAT', 'CREATED'],
    versions.map((version) => [
      version.label,
      version.status,
      version.visibility,
      version.grade ?? '-',
      String(version.operations_count),
      `${version.format.kind} ${version.format.version}`,
      shortTime(version.created_at),
    ]),
  )
