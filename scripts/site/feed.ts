/** The changelog as a feed (Atom, RFC 4287): an entry for each release, and one for what is not released yet. */
import { escapeHtml, slugOf } from '../../web/docs/render.ts'

interface Release {
  readonly title: string
  readonly text: string
  /** As in the heading; null for what is not released. */
  readonly day: string | null
}

/** The releases of a changelog, newest first: its headings of the second level, as `1.2.0 - 2026-01-31`. */
export function releasesOf(changelog: string): Release[] {
  const [, ...sections] = changelog.split(/^## /m)
  return sections.map((section) => {
    const [title = '', ...rest] = section.split('\n')
    return { title: title.trim(), text: rest.join('\n').trim(), day: /\d{4}-\d{2}-\d{2}/.exec(title)?.[0] ?? null }
  })
}

/** The lists of a release in plain text: a reader of feeds shows a few lines. */
const contentOf = ({ text }: Release, maxCharacters = 20_000): string =>
  text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters).replace(/\n[^\n]*$/, '')}\n…`

/**
 * @param changelog the Markdown of CHANGELOG.md
 * @param address where the site is, with a slash at its end
 * @param updated the time of the newest change, as `2026-01-31T12:00:00Z`: releases have only a day
 */
export function feedOf(changelog: string, address: string, updated: string): string {
  const page = `${address}changelog.html`
  const entries = releasesOf(changelog).map((release) => {
    const link = escapeHtml(`${page}#${slugOf(release.title)}`)
    return `<entry>
<title>svc ${escapeHtml(release.title)}</title>
<id>${link}</id>
<link href="${link}"/>
<updated>${release.day === null ? updated : `${release.day}T00:00:00Z`}</updated>
<content type="text">${escapeHtml(contentOf(release))}</content>
</entry>
`
  })
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>svc changelog</title>
<id>${escapeHtml(page)}</id>
<link href="${escapeHtml(page)}"/>
<link rel="self" href="${escapeHtml(`${address}changelog.xml`)}"/>
<updated>${updated}</updated>
<author><name>svc</name></author>
${entries.join('')}</feed>
`
}
