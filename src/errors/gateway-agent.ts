import { entry } from './entry.ts'

/** The agent of a gateway, `svc gateway run`. */
export const gatewayAgent = {
  'bundle-signature': entry({
    status: 422,
    exit: 6,
    message: 'The release from the service was rejected: {reason}.',
    hint: 'Check that --public-key and the key of the gateway match what the service shows for this gateway. If they do, something between the gateway and the service changes its answers.',
    browserHint: 'Check that the public key and the key of the agent match those of this gateway.',
  }),
  'gateway-release-failed': entry({
    status: 422,
    exit: 6,
    message: 'Release {release} was rejected; the gateway continues with {active}. {reason}',
    hint: 'Fix the problem that the engine reports, then publish another release or run the agent again.',
  }),
  'gateway-agent-running': entry({
    status: 409,
    exit: 2,
    message: 'Another agent (process {pid:number}) uses the folder "{dir}".',
    hint: 'Stop that agent, or give this one its own --dir.',
    browserHint: 'Stop that agent, or give this one a folder of its own.',
  }),
} as const
