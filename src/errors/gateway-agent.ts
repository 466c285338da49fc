import { entry } from './entry.ts'

/** The agent of a gateway, `svc gateway run`. */
export const gatewayAgent = {
  'bundle-signature': entry({
    status: 422,
    exit: 6,
    message: 'The release that the service sent is not used: {reason}.',
    hint: 'Compare --public-key and the key of the gateway with what the service shows for this gateway; if they are right, something between the gateway and the service changes its answers.',
    browserHint: 'Compare the public key and the key of the agent with those of this gateway.',
  }),
  'gateway-release-failed': entry({
    status: 422,
    exit: 6,
    message: 'The release {release} is not used; the gateway continues with {active}. {reason}',
    hint: 'Correct what the engine reports, then publish another release, or run the agent again.',
  }),
  'gateway-agent-running': entry({
    status: 409,
    exit: 2,
    message: 'Another agent (process {pid:number}) uses the folder "{dir}".',
    hint: 'Stop that agent, or give this one its own --dir.',
    browserHint: 'Stop that agent, or give this one a folder of its own.',
  }),
} as const
