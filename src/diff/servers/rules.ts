import { ruleTable } from '../rule.ts'

export const serverRules = ruleTable('server', null, {
  'server-added': {
    title: 'Server added',
    explain: 'The API is available at an additional URL.',
    message: ({ subject }) => `${subject} was added`,
  },
  'server-removed': {
    title: 'Server removed',
    explain: 'The API is no longer announced at this URL. The switch `server-removed` decides whether it is breaking.',
    message: ({ subject }) => `${subject} was removed`,
  },
  'server-variables-changed': {
    title: 'Server variables changed',
    explain: 'The values that can be used in the server URL changed.',
    message: ({ subject }) => `Variables of ${subject} changed`,
  },
})
