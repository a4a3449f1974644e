"""What people and the clock do at the registration desk."""
