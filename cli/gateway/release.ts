/** What the commands about releases share. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { engines } from '../../src/gateway/compile/model.ts'
import type { Release, ReleaseComparison, ReleaseDetail } from '../../src/api/gateway-releases.ts'
import { plural } from '../../src/plural.ts'
import { SvcError } from '../../src/errors.ts'
import { narrowingText } from './positive.ts'
import { lackText } from './shared.ts'
import { renderFacts, renderTable, shortTime } from '../table.ts'

export const releaseArgument = { name: 'release', required: true, summary: 'number or id of the release' } as const
export const engineOption = {
  type: 'string',
  placeholder: 'ENGINE',
  choices: engines,
  summary: 'the engine whose files are meant (default: the first of the release)',
} as const

const because = (it: Release): string =>
  it.trigger === 'publish' && it.versionLabel !== null ? `publish ${it.versionLabel}` : it.trigger

export const releaseTable = (releases: readonly Release[]): string =>
  renderTable(
    ['NUMBER', 'MADE', 'POLICY', 'BECAUSE OF', 'LINES', 'ENGINES', 'ACTIVE ON', ''],
    releases.map((it) => [
      String(it.number),
      shortTime(it.createdAt),
      String(it.policyVersion),
      because(it),
      `+${it.diff.added} -${it.diff.removed}`,
      it.targets.map(({ engine }) => engine).join(', '),
      plural(it.activeOn.length, 'gateway'),
      [...(it.isLatest ? ['newest'] : []), ...(it.holds ? ['holds'] : [])].join(', '),
    ]),
  )

export function releaseText(it: ReleaseDetail): string {
  const enforced = it.settings.filter(({ state }) => state === 'enforced').length
  const lacking = it.targets.reduce((sum, { notEnforced }) => sum + notEnforced, 0)
  const facts = renderFacts([
    ['number', String(it.number)],
    ['id', it.id],
    ['made', shortTime(it.createdAt)],
    ['because of', because(it)],
    ['policy version', String(it.policyVersion)],
    ['document', it.versionLabel],
    ['active on', plural(it.activeOn.length, 'gateway')],
    ['newest', it.isLatest ? (it.holds ? 'yes; it holds until the policy changes' : 'yes') : 'no'],
    ['settings', `${enforced} of ${it.settings.length} are enforced in full where it is active`],
    ['not checked', lacking === 0 ? null : `${plural(lacking, 'part')} of the document`],
  ])
  const files = renderTable(
    ['ENGINE', 'FILE', 'BYTES'],
    it.files.map((file) => [file.engine, file.path, String(file.bytes)]),
  )
  return `${facts}${lackText(it.settings)}${files}`
}

/** What differs between two releases, as differences of texts are written. */
export function comparisonText(it: ReleaseComparison): string {
  if (it.files.length === 0 && it.settings.length === 0 && it.documents === null) return 'Both have the same files.\n'
  const files = it.files.map(({ engine, path, change, hunks, isCut }) => {
    const lines = hunks.flatMap(({ before, after, removed, added }) => [
      `@@ -${before},${removed.length} +${after},${added.length} @@`,
      ...removed.map((line) => `-${line}`),
      ...added.map((line) => `+${line}`),
    ])
    const rest = isCut ? ['… and more'] : []
    return `${[`${engine}/${path} (${change})`, ...lines, ...rest].join('\n')}\n`
  })
  const settings = it.settings.map(
    ({ engine, setting, before, after }) =>
      `${engine}  ${setting}: ${before ?? 'not there'} → ${after ?? 'not there'}\n`,
  )
  const { documents } = it
  const texts = documents === null ? [] : [`document: ${documents.from ?? 'none'} → ${documents.to ?? 'none'}\n`]
  const narrowings = documents === null ? [] : [narrowingText(documents.refused), narrowingText(documents.allowed)]
  return [...texts, ...narrowings, ...settings, ...files].join('')
}

/**
 * Writes a file below a folder.
 * @throws SvcError `usage` for a path that leads out of it
 */
export async function writeBelow(folder: string, path: string, text: string): Promise<void> {
  const target = join(folder, path)
  if (normalize(path).startsWith('..') || path.startsWith('/') || !target.startsWith(join(folder, '/')))
    throw new SvcError('usage', { reason: `The release has a file outside of its folder: ${path}` })
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, text)
}
