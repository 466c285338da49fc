import { projectsApi, ProjectRecord } from '../../src/api/projects.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../../cli/declare.ts'
import { projectFacts } from '../../cli/project/facts.ts'
import { metadataOf, metadataOptions } from '../../cli/project/metadata.ts'

export default command({
  summary:
    'Change what is known of a project: name, description, owner, lifecycle, tags, links; its slug does not change',
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
})
