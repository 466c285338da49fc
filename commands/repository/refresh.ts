import { plural } from '../../src/plural.ts'
import { repositoriesApi } from '../../src/api/repositories.ts'
import { command } from '../../cli/declare.ts'
import { repositoryArgument } from '../../cli/repository/shared.ts'

export default command({
  summary: 'Compare imported files with the repository now, and import what changed',
  examples: ['svc repository refresh 01a1fdb6-5607-74ce-8102-e0af632fd4cf --branch main'],
  arguments: [repositoryArgument],
  options: {
    branch: { type: 'string', placeholder: 'BRANCH', summary: 'only files of this branch' },
    path: { type: 'string', placeholder: 'PATH', summary: 'only this file' },
  },
  dataSchema: repositoriesApi.refreshNow.response,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const done = await call(repositoriesApi.refreshNow, {
      params: { tenant_slug: await tenant(), repository_id: args.id },
      body: { branch: options.branch ?? null, path: options.path ?? null },
    })
    return { data: done, text: `${plural(done.enqueued, 'import')} started, ${done.skipped} under way already\n` }
  },
})
