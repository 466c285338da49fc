create function "keep_security_audit"() returns trigger language plpgsql as $$
begin
  raise exception 'rows of the audit trail are never changed or removed';
end
$$;
create trigger "security_audit_kept" before update or delete on "security_audit" for each row execute function "keep_security_audit"();
