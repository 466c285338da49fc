/**
 * The version of the interface that the declarations below `/v1` make up. It counts what callers can see of the
 * interface (`info.version` of `/v1/openapi.json`, the header `X-Api-Version`), not releases of the program, which have
 * the version of package.json: raise it when an operation is added (minor) or corrected (patch).
 */
export const apiVersion = '1.204.2'
