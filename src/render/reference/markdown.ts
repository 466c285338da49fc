/** A reference as Markdown (CommonMark with tables). Descriptions are those of the document; everything else is escaped. */
import type { Media, OperationEntry, Parameter, Reference } from './model.ts'
import type { Member, SchemaView, Segment } from './schema-view.ts'

const escape = (text: string): string => text.replaceAll(/[\\`*_[\]<>|#]/g, (it) => `\\${it}`).replaceAll(/\s+/g, ' ')

// A run of backticks that the text does not have.
const code = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ')
  const runs = line.match(/`+/g) ?? []
  const fence = '`'.repeat(runs.reduce((most, it) => Math.max(most, it.length), 0) + 1)
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return line === '' ? '' : `${fence}${pad}${line}${pad}${fence}`
}

const cellCode = (text: string): string => code(text).replaceAll('|', '\\|')

const block = (text: string): string => {
  const runs = text.match(/`{3,}/g) ?? []
  const fence = '`'.repeat(runs.reduce((most, it) => Math.max(most, it.length), 2) + 1)
  return `${fence}\n${text}\n${fence}\n`
}

/** The fragment that code forges give a heading. */
const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')

const typeText = (type: readonly Segment[]): string =>
  type.map((it) => (typeof it === 'string' ? escape(it) : `[${escape(it.schema)}](#${slug(it.schema)})`)).join('')

const lines = (text: string): string => text.trim().replaceAll(/\r\n?/g, '\n')
const firstLine = (text: string): string => escape(lines(text).split('\n\n')[0] ?? '')

const about = (view: SchemaView, description: string): string => {
  const said = firstLine(description || view.description)
  const facts = view.facts.map(escape).join('; ')
  return said !== '' && facts !== '' ? `${said} (${facts})` : said + facts
}

const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0
    ? ''
    : `${[header, header.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`

const deepest = 4

const memberRows = (members: readonly Member[], path: string, depth: number): string[][] =>
  members.flatMap(({ name, required, view }) => {
    const here = path === '' ? name : `${path}.${name}`
    return [
      [
        cellCode(here),
        typeText(view.type),
        required ? 'yes' : '',
        about(view, '') + (view.deprecated ? ' Deprecated.' : ''),
      ],
      ...(depth < deepest ? memberRows(view.members, here, depth + 1) : []),
    ]
  })

const schemaText = (view: SchemaView): string =>
  [
    `Type: ${[typeText(view.type), ...view.facts.map(escape)].join('; ')}\n`,
    table(['Name', 'Type', 'Required', 'Description'], memberRows(view.members, '', 0)),
  ]
    .filter(Boolean)
    .join('\n')

const mediaText = ({ type, view, examples }: Media): string[] => [
  `${code(type)}\n`,
  view === null ? '' : schemaText(view),
  ...examples.map(({ name, text }) => `${escape(name)}:\n\n${block(text)}`),
]

const parameterRow = (parameter: Parameter): string[] => [
  cellCode(parameter.name),
  escape(parameter.place),
  parameter.view === null ? '' : typeText(parameter.view.type),
  parameter.required ? 'yes' : '',
  `${parameter.view === null ? firstLine(parameter.description) : about(parameter.view, parameter.description)}${parameter.deprecated ? ' Deprecated.' : ''}`,
]

const parameterHeader = ['Name', 'In', 'Type', 'Required', 'Description']

function operationText(entry: OperationEntry): string[] {
  const title = `### ${entry.isWebhook ? 'Webhook ' : ''}${entry.method} ${code(entry.path)}\n`
  return [
    title,
    entry.summary === '' ? '' : `**${escape(entry.summary)}**\n`,
    entry.deprecated ? 'Deprecated.\n' : '',
    entry.operationId === '' ? '' : `operationId: ${code(entry.operationId)}\n`,
    entry.description === '' ? '' : `${lines(entry.description)}\n`,
    entry.security.length === 0 ? '' : `Credentials: ${entry.security.map(escape).join(', or ')}\n`,
    entry.parameters.length === 0
      ? ''
      : `#### Parameters\n\n${table(parameterHeader, entry.parameters.map(parameterRow))}`,
    ...(entry.body === null
      ? []
      : [
          `#### Request body${entry.body.required ? '' : ' (optional)'}\n`,
          entry.body.description === '' ? '' : `${lines(entry.body.description)}\n`,
          ...entry.body.media.flatMap(mediaText),
        ]),
    ...entry.responses.flatMap(({ status, description, headers, media }) => [
      `#### Response ${escape(status)}\n`,
      description === '' ? '' : `${lines(description)}\n`,
      headers.length === 0 ? '' : table(parameterHeader, headers.map(parameterRow)),
      ...media.flatMap(mediaText),
    ]),
  ]
}

/** One operation as Markdown. */
export const writeOperation = (entry: OperationEntry): string =>
  operationText(entry)
    .filter((part) => part !== '')
    .join('\n')

/** The reference as Markdown: what the API is, its operations by tag, its schemas. */
export function writeMarkdown(reference: Reference): string {
  const parts = [
    `# ${escape(`${reference.title} ${reference.version}`.trim())}\n`,
    reference.summary === '' ? '' : `${escape(reference.summary)}\n`,
    reference.description === '' ? '' : `${lines(reference.description)}\n`,
    reference.facts.map(([name, value]) => `- ${name}: ${escape(value)}\n`).join(''),
    reference.servers.length === 0
      ? ''
      : `## Servers\n\n${reference.servers.map(({ url, description }) => `- ${code(url)} ${firstLine(description)}`.trimEnd()).join('\n')}\n`,
    reference.security.length === 0
      ? ''
      : `## Credentials\n\n${reference.security.map(({ name, kind, description }) => `- ${code(name)} ${[escape(kind), firstLine(description)].filter(Boolean).join('. ')}`).join('\n')}\n`,
    ...reference.groups.flatMap(({ name, description, operations }) => [
      `## ${escape(name)}\n`,
      description === '' ? '' : `${lines(description)}\n`,
      ...operations.flatMap(operationText),
    ]),
    ...(reference.schemas.length === 0 ? [] : ['## Schemas\n']),
    ...reference.schemas.flatMap(({ name, view }) => [
      `### ${escape(name)}\n`,
      view.description === '' ? '' : `${lines(view.description)}\n`,
      schemaText(view),
    ]),
  ]
  return parts.filter((part) => part !== '').join('\n')
}
