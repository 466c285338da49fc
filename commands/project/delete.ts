import { projectsApi } from '../../src/api/projects.ts'
import { SvcError } from '../../src/errors.ts'
import { restoreHint } from '../../cli/bin/shared.ts'
import { command } from '../../cli/declare.ts'
import { plural } from '../../src/plural.ts'

export default command({
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
})
