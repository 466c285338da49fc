create function "keep_audit_chain"() returns trigger language plpgsql as $$
begin
  raise exception 'rows of the audit trail are never changed or removed';
end
$$;
create trigger "audit_chain_kept_on_update" before update on "audit_events" for each row
when (old."environment_id" is not null or new."environment_id" is not null) execute function "keep_audit_chain"();
create trigger "audit_chain_kept_on_delete" before delete on "audit_events" for each row
when (old."environment_id" is not null) execute function "keep_audit_chain"();
