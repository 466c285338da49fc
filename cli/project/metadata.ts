/** Owner, lifecycle, tags and links of a project on the command line, by options or out of a `catalog-info.yaml`. */
import { parseAllDocuments } from 'yaml'
import { lifecycles } from '../../src/api/projects.ts'
import { CatalogEntityError, type CatalogFacts, readCatalogEntity } from '../../src/backstage/catalog-entity.ts'
import type { Json } from '../../src/kernel/json.ts'
import { readText } from '../input/named-file.ts'
import type { Invocation } from '../declare.ts'
import { usageError } from '../usage-error.ts'

export const metadataOptions = {
  owner: {
    type: 'string',
    placeholder: 'NAME',
    summary: 'team or person who is responsible for it; an empty text removes it',
  },
  lifecycle: {
    type: 'string',
    placeholder: 'STATE',
    choices: [...lifecycles, 'none'],
    summary: 'lifecycle of the project; none removes it',
  },
  tag: {
    type: 'string',
    multiple: true,
    placeholder: 'TAG',
    summary: 'a tag (repeatable); replaces all tags, an empty text removes them',
  },
  link: {
    type: 'string',
    multiple: true,
    placeholder: '[TITLE=]URL',
    summary: 'a link (repeatable); replaces all links, an empty text removes them',
  },
  from: {
    type: 'string',
    placeholder: 'FILE',
    summary:
      'take what is not given otherwise from the API entity of a catalog-info.yaml (Backstage); - for standard input',
  },
} as const

interface Given {
  readonly owner?: string | undefined
  readonly lifecycle?: (typeof lifecycles)[number] | 'none' | undefined
  readonly tag: readonly string[]
  readonly link: readonly string[]
  readonly from?: string | undefined
}

function readLink(text: string): { title: string | null; url: string } {
  const at = text.search(/=https?:\/\//)
  const [title, url] = at === -1 ? [null, text] : [text.slice(0, at), text.slice(at + 1)]
  if (!/^https?:\/\/\S+$/.test(url)) throw usageError(`--link takes a URL or TITLE=URL, not "${text}".`)
  return { title: title === '' ? null : title, url }
}

const withoutEmpty = (texts: readonly string[]): readonly string[] => texts.filter((it) => it !== '')

/** The facts of the only API entity in a file; of the only entity where none is an API. */
async function factsFrom(name: string, from: Pick<Invocation, 'cwd' | 'io'>): Promise<CatalogFacts> {
  const documents = parseAllDocuments(await readText(name, from))
  if (!Array.isArray(documents)) throw usageError(`${name} is empty.`)
  const [error] = documents.flatMap((it) => it.errors)
  if (error) {
    const [at] = error.linePos ?? []
    throw usageError(`${name}${at ? `:${at.line}:${at.col}` : ''}: ${error.message.split('\n')[0]}`)
  }
  const entities = documents.map((it) => it.toJS({ maxAliasCount: 100 }) as Json)
  const ofApi = entities.filter((it) => (it as { kind?: unknown } | null)?.kind === 'API')
  const [entity, ...others] = ofApi.length > 0 ? ofApi : entities
  if (entity === undefined || others.length > 0)
    throw usageError(
      `${name} holds ${ofApi.length || entities.length} entities; give a file with one entity of the kind API.`,
    )
  try {
    return readCatalogEntity(entity)
  } catch (fault) {
    if (fault instanceof CatalogEntityError) throw usageError(`${name}: ${fault.message}.`)
    throw fault
  }
}

/**
 * What the options say of a project, as the body of a request has it.
 * @throws SvcError `usage` where a link or the file cannot be read
 */
export async function metadataOf(options: Given, from: Pick<Invocation, 'cwd' | 'io'>) {
  const facts = options.from === undefined ? {} : await factsFrom(options.from, from)
  const { owner = facts.owner, lifecycle = facts.lifecycle } = options
  const tags = options.tag.length === 0 ? facts.tags : withoutEmpty(options.tag)
  const links = options.link.length === 0 ? facts.links : withoutEmpty(options.link).map(readLink)
  return {
    facts,
    body: {
      ...(owner === undefined ? {} : { owner: owner === '' ? null : owner }),
      ...(lifecycle === undefined ? {} : { lifecycle: lifecycle === 'none' ? null : lifecycle }),
      ...(tags === undefined ? {} : { tags: [...new Set(tags)] }),
      ...(links === undefined ? {} : { links: [...links] }),
    },
  }
}
