import { plural } from '../../kernel/plural.ts'
import { escapeHtml, safeHtml } from './safe-html.ts'
import type { Member, SchemaView, Segment } from './schema-view.ts'

/** The address of a schema on the page, by its name; null where the page does not show it. */
export type LinkOf = (schema: string) => string | null

const typeText = (type: readonly Segment[], linkOf: LinkOf): string =>
  type
    .map((entry) => {
      if (typeof entry === 'string') return escapeHtml(entry)
      const id = linkOf(entry.schema)
      const name = escapeHtml(entry.schema)
      return id === null ? name : `<a href="#${escapeHtml(id)}">${name}</a>`
    })
    .join('')

/** The type and limits of a schema in one line. */
export const schemaLine = (view: SchemaView, linkOf: LinkOf): string =>
  [
    `<span class="type">${typeText(view.type, linkOf)}</span>`,
    ...(view.deprecated ? ['<span class="tag warn">deprecated</span>'] : []),
    ...(view.facts.length === 0 ? [] : [`<span class="facts">${view.facts.map(escapeHtml).join('; ')}</span>`]),
  ].join(' ')

const memberText = ({ name, required, view }: Member, linkOf: LinkOf): string => {
  const needed = required ? ' <span class="tag">required</span>' : ''
  const inner =
    view.members.length === 0
      ? ''
      : `<details><summary>${plural(view.members.length, 'part')} of <code>${escapeHtml(name)}</code></summary>${membersText(view.members, linkOf)}</details>`
  return `<li><code>${escapeHtml(name)}</code> ${schemaLine(view, linkOf)}${needed}${described(view.description)}${inner}</li>`
}

const membersText = (members: readonly Member[], linkOf: LinkOf): string =>
  `<ul class="members">${members.map((it) => memberText(it, linkOf)).join('')}</ul>`

/** A description, where there is one. */
export const described = (description: string): string =>
  description === '' ? '' : `<div class="prose">${safeHtml(description)}</div>`

/** A schema with its members, the first of them open. */
export const schemaBody = (view: SchemaView, linkOf: LinkOf): string =>
  `<p class="line">${schemaLine(view, linkOf)}</p>${view.members.length === 0 ? '' : membersText(view.members, linkOf)}`
