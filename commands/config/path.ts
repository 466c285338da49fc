import { configCandidates, findConfigFile } from '../../server/config-file.ts'
import { command } from '../../cli/declare.ts'

export default command({
  summary: 'Print the path of the configuration file in use',
  description: 'The file named by SVC_CONFIG, otherwise svc.config.yaml, .yml or .json in the current folder.',
  examples: ['svc config path'],
  arguments: [],
  options: {},
  run: async ({ env, cwd, io }) => {
    const path = findConfigFile(env, cwd)?.path ?? null
    const candidates = configCandidates(env, cwd)
    if (path === null) io.log.info(`No configuration file found; looked for ${candidates.join(', ')}`)
    return { data: { path, candidates }, text: path === null ? '' : `${path}\n` }
  },
})
