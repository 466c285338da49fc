import { projectsApi, ProjectRecord } from '../../src/api/projects.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../../cli/declare.ts'
import { projectFacts } from '../../cli/project/facts.ts'

export default command({
  summary: 'Change the name or description of a project; its slug does not change',
  examples: ['svc project update petstore --name "Pet store"'],
  arguments: [{ name: 'project', required: true, summary: 'id or slug' }],
  options: {
    name: { type: 'string', placeholder: 'NAME', summary: 'its new name' },
    description: { type: 'string', placeholder: 'TEXT', summary: 'what it is about; an empty text removes it' },
  },
  dataSchema: ProjectRecord,
  async run({ args, options, connection }) {
    const { name, description } = options
    if (name === undefined && description === undefined)
      throw new SvcError('usage', { reason: 'Give --name, --description, or both.' })
    const body = {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description: description === '' ? null : description }),
    }
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), project_ref: args.project }
    const project = await call(projectsApi.update, { params, body })
    return { data: project, text: () => projectFacts(project) }
  },
})
