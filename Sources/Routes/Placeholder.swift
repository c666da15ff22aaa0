// placeholder: the owner of this target replaces this file
