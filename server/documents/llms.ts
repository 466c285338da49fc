/** What is public as texts for agents: indexes of organizations, projects and operations, and one operation as Markdown. */
import { and, asc, eq, exists } from 'drizzle-orm'
import { tenants, versions } from '../../db/tables.gen.ts'
import type { OperationPart, ReaderIndex } from '../../src/api/reader.ts'
import { SvcError } from '../../src/errors.ts'
import { cutTo } from '../../src/kernel/text.ts'
import { writeOperation } from '../../src/render/reference/markdown.ts'
import type { Deps } from '../kit/door.ts'
import { type Catalogue, isEnabled, isListed, type ListedProject } from '../portal/door.ts'
import { findVersion, type VersionRow } from '../records/door.ts'
import type { DocumentService } from './service.ts'

const mostOrganizations = 200
const mostOperations = 2000
const longestNote = 200

/** A line of Markdown: nothing of a name ends it, or the link in it. */
const line = (text: string): string => cutTo(text.replaceAll(/[[\]\s]+/g, ' ').trim(), longestNote)

const item = (name: string, url: string, note: string): string =>
  `- [${line(name)}](${url})${note === '' ? '' : `: ${line(note)}`}\n`

/** The name of an operation in addresses: "get-pets-petId.md" for GET /pets/{petId}. */
const fileOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${`${method.toLowerCase()}-${path}`
    .replaceAll(/[{}]/g, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/-{2,}/g, '-')
    .replace(/-$/, '')}.md`

/** The names of all operations, each once: the second of two that would have the same has its number. */
function filesOf(operations: ReaderIndex['operations']): string[] {
  const seen = new Map<string, number>()
  return operations.map((operation) => {
    const name = fileOf(operation)
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : name.replace(/\.md$/, `-${count}.md`)
  })
}

/** Text of the HTML that descriptions are kept as: tags go, what they separate stays separate. */
const plainOf = (html: string): string =>
  html
    .replaceAll(/<li>/g, '- ')
    .replaceAll(/<\/?code>/g, '`')
    .replaceAll(/<(?:br|\/p|\/li|\/h\d|\/pre|\/tr|\/?[ou]l)[^>]*>/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()

/** A part of the documentation with its descriptions as texts. */
const withTexts = (value: unknown, key = ''): unknown => {
  if (typeof value === 'string') return key === 'description' ? plainOf(value) : value
  if (Array.isArray(value)) return value.map((it) => withTexts(it))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, withTexts(it, name)]))
}

/** Writes the texts for agents. */
export class AgentTexts {
  readonly #deps: Deps
  readonly #documents: DocumentService

  constructor(deps: Deps, documents: DocumentService) {
    this.#deps = deps
    this.#documents = documents
  }

  get #url(): string {
    return this.#deps.publicUrl()
  }

  /** The organizations that show something to everybody, by their slugs. */
  async index(): Promise<string> {
    const { read } = this.#deps.db
    const some = exists(
      read
        .select({ id: versions.id })
        .from(versions)
        .where(and(eq(versions.tenantId, tenants.id), isListed)),
    )
    const rows = await read
      .select({ slug: tenants.slug, name: tenants.name, settings: tenants.settings })
      .from(tenants)
      .where(some)
      .orderBy(asc(tenants.slug))
      .limit(mostOrganizations)
    const shown = rows.filter(({ settings }) => isEnabled(settings))
    return [
      '# API descriptions\n\n> Published API specifications. Everything that is listed here can be read without credentials.\n\n',
      '## Organizations\n\n',
      ...shown.map(({ slug, name }) => item(name, `${this.#url}/p/${slug}/llms.txt`, '')),
      '\n## Optional\n\n',
      item('OpenAPI of this service', `${this.#url}/v1/openapi.json`, ''),
      item('MCP server', `${this.#url}/mcp`, 'Model Context Protocol over HTTP, read-only'),
    ].join('')
  }

  /** The public projects of an organization. */
  organization({ slug, name, projects }: Catalogue): string {
    const sorted = projects.toSorted((a, b) => (a.slug < b.slug ? -1 : 1))
    return [
      `# APIs of ${line(name)}\n\n> The latest public version of each API.\n\n## APIs\n\n`,
      ...sorted.map((it) =>
        item(`${it.name} ${it.label}`, `${this.#url}/p/${slug}/${it.slug}/llms.txt`, it.description),
      ),
      '\n## Optional\n\n',
      ...sorted.map((it) => item(`${it.name} as a document`, `${this.#url}${it.document}`, it.format)),
    ].join('')
  }

  /** The operations of the latest public version of a project. @throws SvcError `portal-not-found` */
  async project(catalogue: Catalogue, slug: string): Promise<string> {
    const project = projectIn(catalogue, slug)
    const { index } = await this.#indexOf(catalogue, project)
    const operations = index?.operations ?? []
    const files = filesOf(operations)
    const base = `${this.#url}/p/${catalogue.slug}/${slug}/operations`
    const more = operations.length - mostOperations
    return [
      `# ${line(project.name)} ${line(project.label)}\n\n`,
      project.description === '' ? '' : `> ${line(project.description)}\n\n`,
      project.status === 'deprecated' ? 'This version is deprecated.\n\n' : '',
      operations.length === 0 ? '' : '## Operations\n\n',
      ...operations
        .slice(0, mostOperations)
        .map(({ method, path, summary, deprecated }, at) =>
          item(`${method} ${path}`, `${base}/${files[at]}`, `${summary}${deprecated ? ' (deprecated)' : ''}`),
        ),
      more > 0 ? `\n${more} more operations are in the document.\n` : '',
      '\n## Optional\n\n',
      item('The document', `${this.#url}${project.document}`, project.format),
      item('Documentation', `${this.#url}${project.page}`, ''),
    ].join('')
  }

  /**
   * An operation of the latest public version of a project.
   * @throws SvcError `portal-not-found`, `documentation-part-not-found`, `analysis-stopped`
   */
  async operation(catalogue: Catalogue, slug: string, file: string): Promise<string> {
    const project = projectIn(catalogue, slug)
    const { index, version } = await this.#indexOf(catalogue, project)
    const at = filesOf(index?.operations ?? []).indexOf(file)
    if (at < 0) throw new SvcError('documentation-part-not-found', { part: file, version: project.label })
    const { operation } = (await this.#read(version, `operation-${at}`)) as OperationPart
    return [
      `# ${line(project.name)} ${line(project.label)}\n`,
      ...(index?.servers ?? []).map(({ url }) => `- ${url}\n`),
      writeOperation(withTexts(operation) as OperationPart['operation']),
    ].join('\n')
  }

  /** Null for a version that describes no operations. */
  async #indexOf({ tenantId }: Catalogue, { slug, versionId }: ListedProject) {
    const { version } = await findVersion(this.#deps.db.read, tenantId, slug, versionId)
    try {
      return { version, index: (await this.#read(version, 'index')) as ReaderIndex }
    } catch (error) {
      if (error instanceof SvcError && error.code !== 'analysis-stopped') return { version, index: null }
      throw error
    }
  }

  async #read(version: VersionRow, name: string): Promise<unknown> {
    const { bytes } = await this.#documents.parts.part(version, name)
    return JSON.parse(new TextDecoder().decode(Bun.gunzipSync(bytes)))
  }
}

function projectIn({ projects }: Catalogue, slug: string): ListedProject {
  const found = projects.find((it) => it.slug === slug)
  if (found === undefined) throw new SvcError('portal-not-found')
  return found
}
