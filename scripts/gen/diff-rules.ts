/**
 * The documentation pages of the change rules (docs/changes).
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { Rule } from '../../src/diff/rule.ts'
import { rules } from '../../src/diff/rules.ts'
import type { Json } from '../../src/kernel/json.ts'
import pageExamples from '../../test/src/diff/page-examples.json'
import { examples } from '../../test/src/diff/rule-examples.ts'

const where: Readonly<Record<string, string>> = {
  request: 'requests',
  response: 'responses',
  any: 'requests and responses',
  null: 'the API as a whole',
}

const affectedByArea: Readonly<Record<string, string>> = {
  document: 'None. Requests and responses do not change.',
  schema: 'None. Requests and responses do not change.',
  operation: 'Clients that call the operation.',
  webhook: 'Services that receive the webhook.',
  callback: 'Clients that registered a callback URL.',
  security: 'Clients of the operations that use the security scheme.',
  server: 'Clients that use the server URL.',
  argument: 'Callers that provide the input.',
  tool: 'Agents that call the tool, and users who decide which tools run without confirmation.',
  prompt: 'Hosts that offer the prompt, and their users.',
  resource: 'Hosts that read the resource.',
  remote: 'Hosts that connect to the URL.',
  package: 'Users who install the server from the package.',
  workflow: 'Callers that run the workflow or read its outputs.',
}

const affectedByDirection: Readonly<Record<string, string>> = {
  request:
    'Clients that send such requests. In a webhook or a callback the service sends the request, so its receivers are affected.',
  response:
    'Clients that read the response. In a webhook or a callback the receiver sends the response, so the service is affected.',
  any: 'In a request: clients that send values that are now rejected. In a response: clients that receive values that were not possible before. In webhooks and callbacks the roles are swapped.',
}

/** The parts of a server of the Model Context Protocol, which has neither webhooks nor callbacks nor `x-sunset`. */
const served: ReadonlySet<string> = new Set(['argument', 'prompt', 'resource', 'remote', 'package'])

const affectedById: Readonly<Record<string, string>> = {
  'document-changed': 'Possibly every client, because the documents cannot be compared.',
  'document-reference-changed':
    'Possibly every client of what uses the reference, because its target cannot be compared.',
  'document-removed': 'Clients of the API that the removed file describes.',
}

const affected = ({ id, direction, area, kind }: Rule): string =>
  affectedById[id] ??
  (direction === null && documentation.has(kind) && area === 'operation'
    ? 'Readers of the documentation and users of generated code. Requests and responses do not change.'
    : ((served.has(area) ? null : affectedByDirection[String(direction)]) ?? affectedByArea[area] ?? ''))

const requirements = new Set(['required', 'required-property'])
/** Kinds of things that clients can do without: who does not use an added one is not affected. */
const offers = new Set(['itself', 'operation', 'output', 'source'])
/** What clients send: an added one can be required. */
const inputs = new Set(['parameter', 'body', 'argument'])
const documentation = new Set(['documentation', 'tags', 'deprecated', 'operation-id', 'stability', 'component'])

const insteadById: Readonly<Record<string, string>> = {
  'document-changed': 'Compare two documents of the same kind.',
  'document-reference-changed': 'Correct the reference or add its target, and compare again.',
  'header-required-added': 'Nothing: existing clients are not affected.',
  'argument-required-removed': 'Nothing: existing callers are not affected.',
  'parameter-name-changed': 'Nothing: requests do not change.',
  'resource-media-type-changed':
    'Offer the content in the new media type as another resource, and remove the old one when it is no longer used.',
  'security-bearer-format-changed': 'Nothing: requests do not change.',
  'security-anonymous-removed': 'Accept requests without credentials until every client sends them.',
  'security-endpoint-changed':
    'Keep the old URL working beside the new one, for example by a redirect, until no client uses it.',
}

const insteadOfAdding = ({ area, kind }: Rule): string | null => {
  if (requirements.has(kind))
    return 'Make it optional first, with a default that keeps the old behavior. Require it when every client provides it, or only in a new version.'
  if (inputs.has(area) && kind === 'itself') return 'Nothing if it is optional. Otherwise make it optional first.'
  if (area === 'status') return null
  return offers.has(kind) || area === 'security' ? 'Nothing: existing clients are not affected.' : null
}

const insteadOfRemoving = ({ area, kind }: Rule): string | null => {
  if (!offers.has(kind) && !kind.endsWith('property') && !kind.endsWith('branch')) return null
  return served.has(area)
    ? 'Announce the removal, offer a replacement beside it, and remove it when it is no longer used.'
    : 'Deprecate it first, announce the date of its removal (`x-sunset`), check who still uses it, and remove it after that date. Or offer a new version beside the old one.'
}

const besides =
  'Offer the new behavior under a new name beside the old one, and remove the old one when it is no longer used.'

const insteadByArea: Readonly<Record<string, string>> = {
  security:
    'Accept the old credentials beside the new ones until every client has switched, then remove the old alternative.',
  server: 'Keep the old URL working beside the new one, for example by a redirect, until no client uses it.',
  tool: besides,
  workflow: besides,
}

const instead = (rule: Rule): string => {
  const { id, action, area, kind } = rule
  if (documentation.has(kind))
    return 'Nothing: requests and responses do not change. Inform clients if they rely on it.'
  if (kind === 'sunset')
    return 'Announce a future date as `YYYY-MM-DD` and keep it; postpone it rather than advance it.'
  return (
    insteadById[id] ??
    (action === 'added' ? insteadOfAdding(rule) : null) ??
    insteadByArea[area] ??
    (action === 'removed' ? insteadOfRemoving(rule) : null) ??
    'If it is breaking: keep accepting the old values, send new values only to clients that asked for them, or make the change in a new version of the operation.'
  )
}

const places: Readonly<Record<string, number>> = pageExamples

const documentBlock = (name: string, document: Json): string[] => [
  `${name}:`,
  '',
  '```yaml',
  stringify(document).trimEnd(),
  '```',
  '',
]

/** Two documents between which the rule is reported; rules of folders and of other profiles have none. */
const exampleOf = (id: string): string[] => {
  const place = places[id]
  const example = place === undefined ? undefined : examples[Math.abs(place) - 1]
  if (place === undefined || example === undefined) return []
  const [before, after] = place > 0 ? [example.base, example.head] : [example.head, example.base]
  return ['## Example', '', ...documentBlock('Before', before), ...documentBlock('After', after)]
}

const page = (rule: Rule): string => {
  const { id, title, direction, explain, opposite, noOpposite, aliases = [] } = rule
  return [
    `# ${title}`,
    '',
    `\`${id}\` · applies to ${where[String(direction)]}`,
    '',
    explain,
    '',
    ...exampleOf(id),
    '## Affected clients',
    '',
    affected(rule),
    '',
    '## What to do instead',
    '',
    instead(rule),
    '',
    '## Opposite change',
    '',
    opposite === null
      ? `None: ${noOpposite ?? ''}`
      : opposite === id
        ? 'The opposite change has the same rule.'
        : `[${opposite}](${opposite}.md)`,
    ...(aliases.length > 0 ? ['', '## Names in other tools', '', aliases.map((it) => `\`${it}\``).join(', ')] : []),
    '',
    '## How to accept it',
    '',
    `To accept every change of this rule, add an entry with \`match: ${id}\` and a reason to the file for \`svc diff --ignore\`. To change its severity, use \`--severity ${id}=non-breaking\`.`,
    '',
  ].join('\n')
}

export default async (root: string): Promise<Record<string, string | null>> => ({
  ...Object.fromEntries((await readdir(join(root, 'docs/changes'))).map((name) => [`docs/changes/${name}`, null])),
  'docs/changes/README.md': [
    '# Change rules',
    '',
    'Each change that `svc diff` reports has one of these rules. The rule only names the change. Whether the change is breaking is derived from the requests and responses that are possible before and after it.',
    '',
    '| Rule | Change | Applies to |',
    '|---|---|---|',
    ...[...rules.values()].map((it) => `| [${it.id}](${it.id}.md) | ${it.title} | ${where[String(it.direction)]} |`),
    '',
  ].join('\n'),
  ...Object.fromEntries([...rules.values()].map((it) => [`docs/changes/${it.id}.md`, page(it)])),
})
