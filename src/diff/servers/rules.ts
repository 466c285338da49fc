import { ruleTable } from '../rule.ts'

export const serverRules = ruleTable('server', null, {
  'server-added': {
    title: 'Server added',
    explain: 'The API is available at an additional URL.',
    message: ({ subject }) => `${subject} was added`,
  },
  'server-removed': {
    title: 'Server removed',
    explain:
      'The document no longer lists this URL. If the API is no longer available there, the switch `server-removed` decides whether the change is breaking.',
    message: ({ subject }) => `${subject} was removed`,
  },
  'server-variables-changed': {
    title: 'Server variables changed',
    explain:
      'The values that can be used in the server URL changed. If an old URL is no longer available, the switch `server-removed` decides whether the change is breaking.',
    message: ({ subject }) => `Variables of ${subject} changed`,
  },
})
