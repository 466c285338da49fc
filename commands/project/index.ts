import { Type } from '@sinclair/typebox'
import { stringify } from 'yaml'
import { projectBulkApi } from '../../src/api/project-bulk.ts'
import { ProjectRecord, projectsApi } from '../../src/api/projects.ts'
import { projectAccessApi } from '../../src/api/teams.ts'
import { projectWatchesApi } from '../../src/api/project-watches.ts'
import { projectRoles } from '../../src/api/permissions.ts'
import { versionsApi } from '../../src/api/versions.ts'
import { writeCatalogEntity } from '../../src/backstage/catalog-entity.ts'
import { SvcError } from '../../src/errors.ts'
import { plural } from '../../src/kernel/plural.ts'
import { restoreHint } from '../../cli/bin/shared.ts'
import { command, group } from '../../cli/declare.ts'
import { derive } from '../../cli/derive.ts'
import { memberIdOf } from '../../cli/member/find.ts'
import { listOptions, pageCounts, pageOptions } from '../../cli/paging.ts'
import { filterOptions, viewOption } from '../../cli/project/filter.ts'
import { metadataOf, metadataOptions } from '../../cli/project/metadata.ts'
import { continued, selectionsOf } from '../../cli/project/selection.ts'
import { renderFacts, shortTime } from '../../cli/table.ts'
import { versionTable } from '../../cli/version/table.ts'

/** A project as a person reads it. */
const projectFacts = (project: ProjectRecord): string =>
  renderFacts([
    ['Project', project.slug],
    ['Name', project.name],
    ['Id', project.id],
    ['About', project.description?.split('\n')[0] ?? null],
    ['Owner', project.owner],
    ['Lifecycle', project.lifecycle],
    ['Tags', project.tags.length === 0 ? null : project.tags.join(', ')],
    ...project.links.map(({ title, url }): [string, string] => [title ?? 'Link', url]),
    ['Created', shortTime(project.created_at)],
    ['Versions', `${project.versions_count} (${project.published_versions_count} published)`],
  ])

const watched = [{ name: 'project', summary: 'id or slug', field: 'project_ref' }] as const

export default group({
  summary: 'Manage projects',
  commands: {
    watch: derive(projectWatchesApi.set, {
      summary: 'Watch a project: all its news reach you',
      examples: ['svc project watch petstore'],
      arguments: watched,
      sends: { level: 'everything' },
      text: (_, { args }) => `Watching ${args.project}: all its news reach you\n`,
    }),
    mute: derive(projectWatchesApi.set, {
      summary: 'Mute a project: only mentions and requested reviews reach you',
      examples: ['svc project mute petstore'],
      arguments: watched,
      sends: { level: 'muted' },
      text: (_, { args }) => `Muted ${args.project}: only mentions and requested reviews reach you\n`,
    }),
    unwatch: derive(projectWatchesApi.set, {
      summary: 'Neither watch nor mute a project: what concerns you reaches you',
      examples: ['svc project unwatch petstore'],
      arguments: watched,
      sends: { level: 'concerns_me' },
      text: (_, { args }) => `${args.project} is neither watched nor muted: what concerns you reaches you\n`,
    }),
    watched: derive(projectWatchesApi.list, {
      examples: ['svc project watched', 'svc project watched --level muted'],
      options: {
        level: { summary: 'only those that you watch, or those that you muted' },
        limit: { summary: 'maximum number of rows' },
        offset: listOptions.offset,
      },
      data: 'items',
      counts: pageCounts,
      empty: 'You watch and muted no project.\n',
      columns: {
        PROJECT: (it) => it.project.slug,
        LEVEL: (it) => (it.level === 'muted' ? 'muted' : 'watching'),
        SINCE: (it) => shortTime(it.since),
      },
    }),
    access: derive(projectAccessApi.list, {
      summary: 'List the people and teams that have a role on a project',
      examples: ['svc project access petstore'],
      arguments: [{ name: 'project', summary: 'id or slug' }],
      options: pageOptions,
      data: 'items',
      counts: pageCounts,
      empty: 'Nobody has a role on this project alone. Give one: svc project grant PROJECT --team TEAM\n',
      columns: {
        WHO: (it) => it.team_slug ?? it.email ?? it.name,
        KIND: (it) => it.kind,
        ROLE: (it) => it.role,
        SINCE: (it) => shortTime(it.created_at),
      },
      more: true,
    }),
    grant: derive(projectAccessApi.grant, {
      summary: 'Give a member or a team a role on a project, or change it',
      description:
        'A viewer reads the project, an editor changes and publishes it, an owner also gives roles on it. Give either --team or --member.',
      examples: [
        'svc project grant petstore --team payments --role owner',
        'svc project grant petstore --member ada@example.com --role viewer',
      ],
      arguments: [{ name: 'project', summary: 'id or slug' }],
      options: {
        team: { placeholder: 'TEAM', summary: 'slug or id of the team' },
        member: {
          placeholder: 'MEMBER',
          summary: 'e-mail address or id of the member',
          field: 'user_id',
          read: memberIdOf,
        },
        role: {
          type: 'string',
          placeholder: 'ROLE',
          choices: projectRoles,
          default: 'editor',
          summary: 'the role on the project (default editor)',
        },
      },
      text: (it, { args }) => `${it.team_slug ?? it.email ?? it.name} is ${it.role} of ${args.project}\n`,
    }),
    show: command({
      summary: 'Show a project and its newest versions',
      examples: ['svc project show petstore'],
      arguments: [{ name: 'project', required: true, summary: 'id or slug' }],
      options: {},
      dataSchema: ProjectRecord,
      async run({ args, connection }) {
        const { call, tenant } = await connection()
        const params = { tenant_slug: await tenant(), project_ref: args.project }
        const project = await call(projectsApi.get, { params })
        const versions = await call(versionsApi.list, { params, query: { limit: 20 } })
        return {
          data: project,
          text: () => projectFacts(project) + (versions.items.length === 0 ? '' : `\n${versionTable(versions.items)}`),
        }
      },
    }),
    create: command({
      summary: 'Create an empty project (imports create projects too)',
      examples: [
        'svc project create "Payments" --slug payments',
        'svc project create "Payments" --owner payments --tag public',
      ],
      arguments: [{ name: 'name', required: true, summary: 'display name' }],
      options: {
        slug: { type: 'string', placeholder: 'SLUG', summary: 'its slug (default: made from the name)' },
        description: { type: 'string', placeholder: 'TEXT', summary: 'what it is about' },
        ...metadataOptions,
      },
      dataSchema: ProjectRecord,
      async run(invocation) {
        const { args, options, connection } = invocation
        const { facts, body: metadata } = await metadataOf(options, invocation)
        const { description = facts.description } = options
        const { call, tenant } = await connection()
        const body = {
          name: args.name,
          ...(options.slug === undefined ? {} : { slug: options.slug }),
          ...(description === undefined ? {} : { description }),
          ...metadata,
        }
        const project = await call(projectsApi.create, { params: { tenant_slug: await tenant() }, body })
        return { data: project, text: () => projectFacts(project) }
      },
    }),
    update: command({
      summary: 'Change the name, description, owner, lifecycle, tags or links of a project; its slug does not change',
      examples: [
        'svc project update petstore --name "Pet store"',
        'svc project update petstore --owner payments --lifecycle production --tag public --tag rest',
        'svc project update petstore --from catalog-info.yaml',
      ],
      arguments: [{ name: 'project', required: true, summary: 'id or slug' }],
      options: {
        name: { type: 'string', placeholder: 'NAME', summary: 'its new name' },
        description: { type: 'string', placeholder: 'TEXT', summary: 'what it is about; an empty text removes it' },
        ...metadataOptions,
      },
      dataSchema: ProjectRecord,
      async run(invocation) {
        const { args, options, connection } = invocation
        const { facts, body: metadata } = await metadataOf(options, invocation)
        const { name = facts.name, description = facts.description } = options
        const body = {
          ...(name === undefined ? {} : { name }),
          ...(description === undefined ? {} : { description: description === '' ? null : description }),
          ...metadata,
        }
        if (Object.keys(body).length === 0)
          throw new SvcError('usage', {
            reason: 'Give what to change: --name, --description, --owner, --lifecycle, --tag, --link or --from.',
          })
        const { call, tenant } = await connection()
        const params = { tenant_slug: await tenant(), project_ref: args.project }
        const project = await call(projectsApi.update, { params, body })
        return { data: project, text: () => projectFacts(project) }
      },
    }),
    delete: command({
      summary: 'Delete a project with all its versions, including published ones',
      description:
        'The slug must be given twice: "svc project delete pets --confirm pets". You can restore the project for 30 days with "svc bin restore".',
      examples: ['svc project delete petstore --confirm petstore'],
      arguments: [{ name: 'project', required: true, summary: 'id or slug' }],
      options: {
        confirm: { type: 'string', placeholder: 'SLUG', summary: 'the slug of the project, to confirm the deletion' },
      },
      async run({ args, options, connection }) {
        const { call, tenant } = await connection()
        const params = { tenant_slug: await tenant(), project_ref: args.project }
        const { slug, versions_count: versions } = await call(projectsApi.get, { params })
        if (options.confirm !== slug)
          throw new SvcError('usage', {
            reason: `This deletes ${slug} with its ${plural(versions, 'version')}; to confirm, add --confirm ${slug}.`,
          })
        await call(projectsApi.remove, { params })
        return { data: null, text: `Deleted ${slug}\n${restoreHint(slug)}` }
      },
    }),
    export: command({
      summary: 'Write projects as API entities for the catalogue of Backstage (catalog-info.yaml)',
      description:
        'One project, several, or all that match a filter, a document for each. The definition of an entity is the address of the latest document. Backstage requires an owner and a lifecycle: "unknown" and "experimental" where a project has none.',
      examples: [
        'svc project export petstore > catalog-info.yaml',
        'svc project export --owner payments > catalog-info.yaml',
      ],
      arguments: [{ name: 'projects', variadic: true, summary: 'ids or slugs' }],
      options: {
        view: viewOption,
        ...filterOptions,
        all: { type: 'boolean', summary: 'all projects of the organization' },
      },
      dataSchema: Type.Union([
        Type.Object({}, { additionalProperties: true, description: 'The entity, where one project is named.' }),
        Type.Object({ count: Type.Integer(), content: Type.String({ description: 'YAML, a document for each.' }) }),
      ]),
      async run({ args, options, connection }) {
        const { call, tenant } = await connection()
        const params = { tenant_slug: await tenant() }
        const selections = await selectionsOf(call, params.tenant_slug, { refs: args.projects, options })
        const [only, ...others] = args.projects
        if (only !== undefined && others.length === 0) {
          const project = await call(projectsApi.get, { params: { ...params, project_ref: only } })
          const latest = project.latest_version
          const format = latest?.format.kind ?? null
          const entity = writeCatalogEntity({ ...project, format, document: latest?.urls.document ?? null })
          return { data: entity, text: () => stringify(entity) }
        }
        const contents: string[] = []
        let count = 0
        for await (const answer of continued(selections, (body) => call(projectBulkApi.export, { params, body }))) {
          count += answer.count
          if (answer.count > 0) contents.push(answer.content)
        }
        const content = contents.join('---\n')
        return { data: { count, content }, text: content }
      },
    }),
  },
})
