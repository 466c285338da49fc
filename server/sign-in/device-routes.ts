import { deviceApi, deviceApprovalApi, deviceGrant } from '../../src/api/device.ts'
import { SvcError } from '../../src/errors.ts'
import { type Route, routesOf } from '../http/door.ts'
import { addressOf } from '../auth/door.ts'
import { beginDevice, decideDevice, lookUpDevice, redeemDevice } from './device.ts'
import type { Identity } from './identity.ts'

/** The routes of signing in on another device (RFC 8628). */
export const deviceRoutes = (deps: Identity): Route[] => [
  ...routesOf(deviceApi, {
    code: ({ body }, context) => {
      const { client_name = '', client_id = '' } = body ?? {}
      return beginDevice(deps, {
        clientName: client_name.trim() === '' ? client_id : client_name,
        address: addressOf(context.request),
      })
    },
    token: ({ body }, context) => {
      const { grant_type = deviceGrant, device_code } = body
      if (grant_type !== deviceGrant) throw new SvcError('unsupported_grant_type')
      return redeemDevice(deps, { deviceCode: device_code, address: addressOf(context.request) })
    },
  }),
  ...routesOf(deviceApprovalApi, {
    lookup: ({ body }, { grant }) => lookUpDevice(deps, grant, body.user_code),
    decide: async ({ body }, { grant }) => {
      const { user_code, approve, tenant = null } = body
      return { status: await decideDevice(deps, grant, { userCode: user_code, approve, tenant }) }
    },
  }),
]
