import { projectsApi, ProjectRecord } from '../../src/api/projects.ts'
import { command } from '../../cli/declare.ts'
import { projectFacts } from '../../cli/project/facts.ts'

export default command({
  summary: 'Create an empty project (imports create projects too)',
  examples: ['svc project create "Payments" --slug payments'],
  arguments: [{ name: 'name', required: true, summary: 'display name' }],
  options: {
    slug: { type: 'string', placeholder: 'SLUG', summary: 'its slug (default: made from the name)' },
    description: { type: 'string', placeholder: 'TEXT', summary: 'what it is about' },
  },
  dataSchema: ProjectRecord,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const body = {
      name: args.name,
      ...(options.slug === undefined ? {} : { slug: options.slug }),
      ...(options.description === undefined ? {} : { description: options.description }),
    }
    const project = await call(projectsApi.create, { params: { tenant_slug: await tenant() }, body })
    return { data: project, text: () => projectFacts(project) }
  },
})
