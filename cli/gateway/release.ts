/** What the commands about releases share. */
import { join, normalize } from 'node:path'
import { replaceFile } from '../../server/disk/door.ts'
import { dialectNames } from '../../src/gateway/dialects/index.ts'
import type { Release, ReleaseComparison, ReleaseDetail } from '../../src/api/gateway-releases.ts'
import { plural } from '../../src/kernel/plural.ts'
import { SvcError } from '../../src/errors.ts'
import { narrowingText } from './positive.ts'
import { lackText } from './command-parts.ts'
import { renderFacts, renderTable, shortTime } from '../table.ts'

export const releaseArgument = { name: 'release', required: true, summary: 'number or id of the release' } as const
export const engineOption = {
  type: 'string',
  placeholder: 'ENGINE',
  choices: dialectNames,
  summary: 'the engine whose files are meant (default: the first of the release)',
} as const

const because = (it: Release): string =>
  it.trigger === 'publish' && it.versionLabel !== null ? `publish ${it.versionLabel}` : it.trigger

export const releaseTable = (releases: readonly Release[]): string =>
  renderTable(
    ['NUMBER', 'MADE', 'POLICY', 'BECAUSE OF', 'LINES', 'ENGINES', 'ACTIVE ON', ''],
    releases.map((release) => [
      String(release.number),
      shortTime(release.createdAt),
      String(release.policyVersion),
      because(release),
      `+${release.diff.added} -${release.diff.removed}`,
      release.targets.map(({ engine }) => engine).join(', '),
      plural(release.activeOn.length, 'gateway'),
      [
        ...(release.isLatest ? ['newest'] : []),
        ...(release.isStaged ? ['waits'] : []),
        ...(release.holds ? ['holds'] : []),
      ].join(', '),
    ]),
  )

export function releaseText(detail: ReleaseDetail): string {
  const enforced = detail.settings.filter(({ state }) => state === 'enforced').length
  const lacking = detail.targets.reduce((sum, { notEnforced }) => sum + notEnforced, 0)
  const newest = detail.holds ? 'yes; it holds until the policy changes' : 'yes'
  const older = detail.isStaged ? 'no; it waits for "svc gateway release take"' : 'no'
  const facts = renderFacts([
    ['number', String(detail.number)],
    ['id', detail.id],
    ['made', shortTime(detail.createdAt)],
    ['because of', because(detail)],
    ['policy version', String(detail.policyVersion)],
    ['document', detail.versionLabel],
    ['active on', plural(detail.activeOn.length, 'gateway')],
    ['newest', detail.isLatest ? newest : older],
    ['compiler', detail.compiler === null ? null : String(detail.compiler)],
    ['settings', `${enforced} of ${detail.settings.length} are enforced in full where it is active`],
    ['not checked', lacking === 0 ? null : `${plural(lacking, 'part')} of the document`],
  ])
  const files = renderTable(
    ['ENGINE', 'FILE', 'BYTES'],
    detail.files.map((file) => [file.engine, file.path, String(file.bytes)]),
  )
  return `${facts}${lackText(detail.settings)}${files}`
}

/** What differs between two releases, as differences of texts are written. */
export function comparisonText(comparison: ReleaseComparison): string {
  if (comparison.files.length === 0 && comparison.settings.length === 0 && comparison.documents === null)
    return 'Both have the same files.\n'
  const files = comparison.files.map(({ engine, path, change, hunks, isCut }) => {
    const lines = hunks.flatMap(({ before, after, removed, added }) => [
      `@@ -${before},${removed.length} +${after},${added.length} @@`,
      ...removed.map((line) => `-${line}`),
      ...added.map((line) => `+${line}`),
    ])
    const rest = isCut ? ['… and more'] : []
    return `${[`${engine}/${path} (${change})`, ...lines, ...rest].join('\n')}\n`
  })
  const settings = comparison.settings.map(
    ({ engine, setting, before, after }) =>
      `${engine}  ${setting}: ${before ?? 'not there'} → ${after ?? 'not there'}\n`,
  )
  const { documents } = comparison
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
  replaceFile(target, text)
}
