import { configCandidates, findConfigFile } from '../../server/config-file.ts'
import { command } from '../../cli/declare.ts'

export default command({
  summary: 'Print the path of the configuration file in use',
  description: 'SVC_CONFIG names one; otherwise it is svc.config.yaml, .yml or .json of the current folder.',
  examples: ['svc config path'],
  arguments: [],
  options: {},
  run: async ({ env, cwd, io }) => {
    const path = findConfigFile(env, cwd)?.path ?? null
    const candidates = configCandidates(env, cwd)
    if (path === null) io.log.info(`No configuration file; looked for ${candidates.join(', ')}`)
    return { data: { path, candidates }, text: path === null ? '' : `${path}\n` }
  },
})
