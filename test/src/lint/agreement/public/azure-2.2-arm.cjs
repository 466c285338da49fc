// Azure's own validator removes what Spectral does not know from its rules before it runs them.
const azure = require('@microsoft.azure/openapi-validator-rulesets')
azure.deleteRulesPropertiesInPayloadNotValidForSpectralRules(azure.spectralRulesets.azARM)
module.exports = azure.spectralRulesets.azARM
