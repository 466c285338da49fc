/** What the commands that move an organization print and answer. */
import { relative } from 'node:path'
import type { CheckedBackup } from '../../db/backup/manifest.ts'
import type { Progress } from '../../db/organization/export.ts'
import type { ImportedOrganization } from '../../db/organization/import.ts'
import { plural } from '../../src/kernel/plural.ts'

/** JSON Schema of what `svc tenant export` answers. */
export const exportedSchema = {
  type: 'object',
  required: ['file', 'organization', 'rows', 'digest', 'damaged'],
  properties: {
    file: { type: 'string' },
    organization: { type: 'string' },
    rows: { type: 'integer' },
    digest: { type: 'string' },
    damaged: { type: 'array', items: { type: 'string' } },
  },
} as const

/** JSON Schema of what `svc tenant import` answers. */
export const importedSchema = {
  type: 'object',
  required: ['organization', 'rows', 'accounts'],
  properties: {
    organization: { type: 'string' },
    rows: { type: 'object', additionalProperties: { type: 'integer' } },
    accounts: {
      type: 'object',
      required: ['found', 'made'],
      properties: {
        found: { type: 'array', items: { type: 'string' } },
        made: { type: 'array', items: { type: 'string' } },
      },
    },
  },
} as const

/** How far it is, as a line. */
export const tableLine = ({ table, tables }: Parameters<Progress>[0]): string => `table ${table} of ${tables}`

const sumOf = (rows: Readonly<Record<string, number>>): number => Object.values(rows).reduce((sum, n) => sum + n, 0)

/** What an export wrote, as data and as text. */
export function describeExport(file: string, slug: string, cwd: string, { rows, digest, damaged }: CheckedBackup) {
  const data = { file, organization: slug, rows: sumOf(rows), digest: `sha256:${digest}`, damaged: [...damaged] }
  const text = `Exported ${slug} to ${file}
rows      ${data.rows}
digest    ${data.digest}
accounts  without passwords and second factors
secrets   readable where SVC_SECRET_KEY lists the key of this installation

Next:
  svc backup verify ${relative(cwd, file) || file}
  svc tenant import FILE   on the other installation
`
  return { data, text }
}

/** What an import wrote, as data and as text. */
export function describeImport({ organization, rows, accounts }: ImportedOrganization) {
  const data = {
    organization: organization.slug,
    rows,
    accounts: { found: [...accounts.found], made: [...accounts.made] },
  }
  const made =
    accounts.made.length === 0
      ? ''
      : `\nMade without a password; "svc user reset EMAIL" gives a link:\n${accounts.made.map((email) => `  ${email}\n`).join('')}`
  const text = `Imported ${organization.name} as ${organization.slug}: ${plural(sumOf(rows), 'row')}, read back and compared
accounts  ${accounts.found.length} were here, ${accounts.made.length} made
${made}`
  return { data, text }
}
