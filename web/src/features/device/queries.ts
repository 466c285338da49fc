import { queryOptions } from '@tanstack/react-query'
import { deviceApprovalApi } from '../../../../src/api/device.ts'
import { call } from '../../call.ts'

/** The sign-in request behind a user code. It is read once: after the decision the code is unknown. */
export const deviceRequestQuery = (code: string) =>
  queryOptions({
    queryKey: ['device', code],
    queryFn: () => call(deviceApprovalApi.lookup, { body: { user_code: code } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
